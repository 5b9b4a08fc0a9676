internal import CacheModel
internal import Glibc
internal import Synchronization

/// Names in tmp/ that nobody else can have: host, process and a counter.
///
/// The file is created exclusively, so that containers which share host name and process number do
/// not meet either.
final class Temporaries: Sendable {
  private let counter = Atomic<UInt64>(0)
  private let prefix: String
  private let kept = Mutex<SharedDirectory?>(nil)

  /// An open directory that several owners use.
  final class SharedDirectory: Sendable {
    let directory: Directory
    init(_ directory: consuming Directory) { self.directory = directory }
  }

  init() {
    let host = hostName().utf8.map { Self.isPlain($0) ? $0 : 0x5f }
    prefix = String(decoding: host, as: UTF8.self) + ".\(getpid())."
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d: true
    default: false
    }
  }

  func nextName() -> String {
    prefix + String(counter.add(1, ordering: .relaxed).newValue)
  }
}

extension Temporaries {
  /// tmp/, opened once and not for each file.
  func directory(
    in root: borrowing Directory, _ ownership: Ownership
  ) throws(Errno) -> SharedDirectory {
    if let shared = kept.withLock({ $0 }) { return shared }
    let shared = SharedDirectory(try root.directory(Layout.temporary, orMake: ownership))
    kept.withLock { $0 = shared }
    return shared
  }

  /// Somebody removed the directory: the next file gets a new one.
  func forgetDirectory() { kept.withLock { $0 = nil } }
}

/// The host's name, as its users know it.
func hostName() -> String {
  var buffer = [CChar](repeating: 0, count: 65)
  guard gethostname(&buffer, 64) == 0 else { return "localhost" }
  return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// A file in tmp/ that becomes something else by a rename, or goes when its owner lets go of it.
struct TemporaryFile: ~Copyable {
  let file: OpenFile
  private let folder: Temporaries.SharedDirectory
  private let name: String
  private var isRenamed = false

  init(in store: Store) throws(Errno) {
    try self.init(in: store.root, store.temporaries, store.ownership)
  }

  /// Makes the file and locks it: whoever finds it unlocked knows that its writer is gone.
  init(
    in root: borrowing Directory, _ names: Temporaries, _ ownership: Ownership
  ) throws(Errno) {
    var (name, folder) = (names.nextName(), try names.directory(in: root, ownership))
    let file: OpenFile
    do { file = try Self.create(&name, names, in: folder, ownership) } catch {
      guard error == .notFound else { throw error }
      names.forgetDirectory()
      folder = try names.directory(in: root, ownership)
      file = try Self.create(&name, names, in: folder, ownership)
    }
    do {
      try file.lockWhereLocksAre()
      try ownership.settle(file)
    } catch {
      // Best effort: what stays is a leftover, which gc removes.
      try? folder.directory.unlink(name)
      throw error
    }
    self.init(file: file, folder: folder, name: name)
  }

  private init(
    file: consuming OpenFile, folder: Temporaries.SharedDirectory, name: String
  ) {
    self.file = file
    self.folder = folder
    self.name = name
  }

  private static func create(
    _ name: inout String, _ names: Temporaries, in folder: Temporaries.SharedDirectory,
    _ ownership: Ownership
  ) throws(Errno) -> OpenFile {
    while true {
      do {
        return try folder.directory.open(
          name, O_RDWR | O_CREAT | O_EXCL, mode: ownership.fileMode)
      } catch {
        guard error == .exists else { throw error }
        name = names.nextName()
      }
    }
  }

  /// Whether the file still has its own name: a rename that failed may have happened (NFS, where the
  /// answer can get lost).
  var isInPlace: Bool {
    guard let own = try? file.status(), let there = try? folder.directory.status(of: name) else {
      return false
    }
    return own.inode == there.inode
  }

  deinit {
    if isRenamed { return }
    // What cannot be removed now is a leftover, which gc removes later.
    try? folder.directory.unlink(name)
  }

  /// The commit point: the file takes its place under `newName`.
  mutating func rename(to newName: String, in target: borrowing Directory) throws(Errno) {
    try folder.directory.rename(name, to: newName, in: target)
    isRenamed = true
  }
}
