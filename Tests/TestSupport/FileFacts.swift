import Glibc

/// What stat(2) says of a file itself, never of what a link points at.
public struct FileFacts: Equatable, Sendable {
  /// Nanoseconds since 1970.
  public let modified: Int64
  /// Bytes.
  public let size: Int64
  /// Bytes that the file system keeps for it.
  public let allocated: Int64
  /// How many names it has.
  public let links: Int64
  /// Permission bits, with set-group-ID and the like.
  public let mode: UInt32
  /// Which file it is on its file system.
  public let inode: UInt64
  /// The owner's number.
  public let owner: UInt32
  /// The group's number.
  public let group: UInt32

  /// Looks at `path`; throws where nothing is there.
  public init(_ path: String) throws {
    var raw = stat()
    guard lstat(path, &raw) == 0 else { throw TestFailure("stat \(path): errno \(errno)") }
    modified = Int64(raw.st_mtim.tv_sec) * 1_000_000_000 + Int64(raw.st_mtim.tv_nsec)
    size = Int64(raw.st_size)
    allocated = Int64(raw.st_blocks) * 512
    links = Int64(raw.st_nlink)
    mode = raw.st_mode & 0o7777
    inode = UInt64(raw.st_ino)
    owner = raw.st_uid
    group = raw.st_gid
  }
}

/// A tree that nobody may touch, to be compared before and after: names, kinds, modes, lengths, times,
/// link counts, and the content of its files.
public struct TreeSnapshot: Equatable, Sendable {
  private let listing: String

  /// Looks at everything below `path`.
  public init(_ path: String) throws {
    let script = """
      cd "$1" && find . -printf '%p %y %m %s %T@ %n\\n' | sort &&
      find . -type f -exec xxhsum -H2 {} + | sort
      """
    listing = try Command("sh", ["-c", script, "sh", path]).succeed().output
  }
}
