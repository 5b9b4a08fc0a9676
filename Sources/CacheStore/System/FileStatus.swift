internal import CacheModel
internal import Glibc

/// What stat(2) says of a file.
struct FileStatus: Equatable {
  enum Kind: String {
    case regular = "file"
    case directory, link, fifo, socket, device
  }

  let kind: Kind
  let size: Int64
  /// Nanoseconds since 1970, stopping at the ends of 64 bits (years 1677 to 2262).
  let modifiedNanoseconds: Int64
  /// Allocated bytes.
  let allocated: Int64
  let inode: UInt64
  let device: UInt64
  let links: UInt64
  let mode: UInt32
  let owner: UInt32
  let group: UInt32

  init(_ raw: stat) {
    kind =
      switch raw.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .link
      case S_IFIFO: .fifo
      case S_IFSOCK: .socket
      default: .device
      }
    size = Int64(raw.st_size)
    let (scaled, overflow) = Int64(raw.st_mtim.tv_sec).multipliedReportingOverflow(
      by: 1_000_000_000)
    let ends = raw.st_mtim.tv_sec < 0 ? Int64.min : Int64.max
    modifiedNanoseconds =
      overflow ? ends : scaled.addingReportingOverflow(Int64(raw.st_mtim.tv_nsec)).partialValue
    allocated = Int64(raw.st_blocks) * 512
    inode = UInt64(raw.st_ino)
    device = UInt64(raw.st_dev)
    links = UInt64(raw.st_nlink)
    mode = raw.st_mode & 0o7777
    owner = raw.st_uid
    group = raw.st_gid
  }

  /// The modification time in the manifests' unit.
  var modified: Instant {
    let (milliseconds, rest) = modifiedNanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return Instant(milliseconds: rest < 0 ? milliseconds - 1 : milliseconds)
  }
}
