public import CacheModel
internal import Glibc

/// The lock that lets one run of a kind work at a time, across processes and hosts.
///
/// It is the kernel's lock on an open file, so that it goes with its holder; what the file says is
/// only for people. Where a mount gives no exclusion, two runs do work twice and nothing wrong.
public struct RunLock: ~Copyable, Sendable {
  private let file: OpenFile?

  /// The kinds of runs.
  public enum Kind: String, Sendable {
    /// Eviction.
    case gc
    /// Checking, where it keeps its results.
    case verify
  }

  /// Takes the lock, waiting for at most `patience`.
  ///
  /// On a file system without a free inode the lock file may not exist and cannot be made; the run
  /// then goes on without, since freeing space is what it is for.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Cause/busy(_:)``, which says who holds it.
  public init(
    _ kind: Kind, of store: Store, waiting patience: Duration, command: String
  ) throws(StoreError) {
    let clock = ContinuousClock()
    let deadline = clock.now.advanced(by: patience)
    while true {
      guard let file = try Self.open(kind, of: store) else { break }
      let isHeld = try StoreError.attempt("lock", Self.path(kind)) { () throws(Errno) in
        try Self.lock(file)
      }
      if isHeld {
        Self.sign(file, command)
        self.init(file: file)
        return
      }
      guard clock.now < deadline else {
        throw StoreError("lock", Self.path(kind), .busy(Self.holder(file)))
      }
      usleep(50_000)
    }
    self.init(file: nil)
  }

  private init(file: consuming OpenFile?) { self.file = file }

  private static func open(_ kind: Kind, of store: Store) throws(StoreError) -> OpenFile? {
    do {
      // state/ may be removed at any time.
      let state = try store.root.directory(Layout.state, orMake: store.ownership)
      return try state.openOrMake("\(kind.rawValue).lock", O_RDWR, ownership: store.ownership)
    } catch {
      if error == .noSpace || error == .quota { return nil }
      throw StoreError("lock", path(kind), .system(error))
    }
  }

  private static func path(_ kind: Kind) -> String { "\(Layout.state)/\(kind.rawValue).lock" }

  /// Whether the lock is ours now: one on a file that was removed meanwhile locks nothing.
  private static func lock(_ file: borrowing OpenFile) throws(Errno) -> Bool {
    guard try file.status().kind == .regular else { throw .notAFile }
    do { try file.lock(blocking: false) } catch {
      if error == .wouldBlock { return false }
      guard Errno.noLocks.contains(error) else { throw error }
    }
    return try file.status().links > 0
  }

  private static func holder(_ file: borrowing OpenFile) -> String {
    var bytes = [UInt8](repeating: 0, count: 512)
    // Who holds it is a courtesy: the lock itself is the kernel's.
    let got =
      (try? bytes.withMutableBytes { (buffer) throws(Errno) in
        try file.readFully(into: buffer, at: 0)
      }) ?? 0
    let text = printable(bytes[..<got].prefix { $0 != 0x0a })
    return text.isEmpty ? "another run holds it" : text
  }

  private static func printable(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.withUnsafeBytes { CacheStore.printable($0) }
  }

  /// Says who holds the lock.
  ///
  /// On a full disk the old text stays, and the lock is held all the same.
  private static func sign(_ file: borrowing OpenFile, _ command: String) {
    let text = "held by \(command), process \(getpid()) on \(hostName()), since \(Instant.now)\n"
    try? file.truncate(to: 0)
    try? Array(text.utf8).withBytes { (bytes) throws(Errno) in try file.write(bytes, at: 0) }
  }
}

extension Instant {
  /// The present, by the system's clock.
  public static var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
  }
}
