internal import CLinux
internal import CacheModel
internal import Glibc

/// How often names came into a directory and went out of it.
struct DirectoryChanges: Equatable {
  var arrivals = 0
  var departures = 0
  var removals = 0

  /// One change of a name.
  enum Kind {
    /// rename(2) into the directory.
    case arrival
    /// rename(2) out of it.
    case departure
    /// unlink(2).
    case removal
  }

  var count: Int { arrivals + departures + removals }

  mutating func add(_ kind: Kind) {
    switch kind {
    case .arrival: arrivals += 1
    case .departure: departures += 1
    case .removal: removals += 1
    }
  }
}

/// Tells what everybody on this host does to one directory, one directory after the other (inotify(7)).
///
/// Unlike the directory's time it tells our own changes from others however long ours take.
final class DirectoryWatch: @unchecked Sendable {
  // Sendable because a pool hands it from owner to owner, to one at a time.
  private let events: OpenFile
  private var watch: Int32?
  private var seen = DirectoryChanges()
  private var hasOther = false
  private var buffer = [UInt8](repeating: 0, count: 1 << 14)

  /// Nil where the kernel allows no more of them (/proc/sys/fs/inotify).
  init?() {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    if descriptor < 0 { return nil }
    events = OpenFile(owning: descriptor)
  }

  /// So many changes go unread at most: the kernel keeps 16,384 events unless told otherwise.
  static let mostUnread = 4096

  private static let mask: Int32 =
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF

  /// Begins with a directory; false where not all that happens to it would be told.
  func begin(_ directory: borrowing Directory) -> Bool {
    guard directory.isOfThisHostAlone else { return false }
    // By its descriptor, so that no link is followed on the way.
    let path = "/proc/self/fd/\(directory.descriptor)"
    let begun = inotify_add_watch(events.descriptor, path, UInt32(Self.mask))
    if begun < 0 { return false }
    watch = begun
    return true
  }

  /// Ends with the directory.
  func end() {
    if let watch { inotify_rm_watch(events.descriptor, watch) }
    watch = nil
    // What is left is nobody's.
    readOn()
    (seen, hasOther) = (DirectoryChanges(), false)
  }

  /// Whether these changes are all that has happened since it began.
  func saw(only changes: DirectoryChanges) -> Bool {
    readOn()
    return !hasOther && seen == changes
  }

  /// Takes in what the kernel has to tell.
  func readOn() {
    while true {
      let got = read(events.descriptor, &buffer, buffer.count)
      if got < 0, errno == EINTR { continue }
      if got <= 0 { return }
      buffer.withUnsafeBytes { bytes in
        var at = 0
        while at < got {
          take(
            watch: bytes.loadUnaligned(fromByteOffset: at, as: Int32.self),
            mask: bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self))
          at += 16 + Int(bytes.loadUnaligned(fromByteOffset: at + 12, as: UInt32.self))
        }
      }
    }
  }

  private func take(watch: Int32, mask: UInt32) {
    if mask & UInt32(IN_Q_OVERFLOW) != 0 { hasOther = true }
    guard watch == self.watch else { return }
    switch Int32(bitPattern: mask) {
    case IN_MOVED_TO: seen.add(.arrival)
    case IN_MOVED_FROM: seen.add(.departure)
    case IN_DELETE: seen.add(.removal)
    default: hasOther = true
    }
  }
}

extension Directory {
  /// Whether the kernel knows of every change: on a network mount, or above other file systems, those
  /// of others stay unseen.
  fileprivate var isOfThisHostAlone: Bool {
    // statfs(2): ext2 to ext4, XFS, Btrfs, tmpfs, F2FS.
    [0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994, 0xf2f5_2010].contains(
      cachectl_file_system_kind(descriptor))
  }
}
