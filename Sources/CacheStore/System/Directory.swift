internal import CLinux
internal import CacheModel
internal import Glibc

/// An open directory, below which every name goes: no link is followed and no `..` leaves it.
struct Directory: ~Copyable, Sendable {
  private let file: OpenFile

  var descriptor: Int32 { file.descriptor }

  /// Opens a directory by an ordinary path, links included: what a person named as the root.
  init(path: String) throws(Errno) {
    let descriptor = try Errno.check { Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    file = OpenFile(owning: descriptor)
  }

  /// Takes over an open directory.
  init(_ file: consuming OpenFile) { self.file = file }

  func directory(_ path: String) throws(Errno) -> Directory {
    Directory(try open(path, O_RDONLY | O_DIRECTORY))
  }

  /// Opens what lies at `path` below this directory.
  ///
  /// What is opened keeps its access time, where the kernel allows that to others than the owner:
  /// looking is no use, and a manifest's access time would be written back for every store.
  func open(_ path: String, _ flags: Int32, mode: UInt32 = 0) throws(Errno) -> OpenFile {
    try open(path, flags, mode: mode, orWalk: { Array(path.utf8) })
  }

  /// The same for a path that is spelt out already.
  func open(spelt path: UnsafePointer<CChar>, _ flags: Int32) throws(Errno) -> OpenFile {
    try open(path, flags, mode: 0) {
      Array(UnsafeRawBufferPointer(start: path, count: strlen(path)))
    }
  }

  /// The same for a path that need not be UTF-8 and ends in a NUL.
  func open(raw path: [UInt8], _ flags: Int32) throws(Errno) -> OpenFile {
    try open(
      path.map { CChar(bitPattern: $0) }, flags, mode: 0, orWalk: { Array(path.dropLast()) })
  }

  private func open(
    _ path: UnsafePointer<CChar>, _ flags: Int32, mode: UInt32, orWalk steps: () -> [UInt8]
  ) throws(Errno) -> OpenFile {
    let flags = flags | O_CLOEXEC | O_NOFOLLOW
    if flags & (O_CREAT | Int32(CACHECTL_O_PATH)) == 0 {
      let quiet = cachectl_open_beneath(
        file.descriptor, path, flags | Int32(CACHECTL_O_NOATIME), mode)
      if quiet >= 0 { return OpenFile(owning: quiet) }
    }
    while true {
      let direct = cachectl_open_beneath(file.descriptor, path, flags, mode)
      if direct >= 0 { return OpenFile(owning: direct) }
      switch errno {
      case EINTR: continue
      // Step by step it cannot be told whether a step would wait.
      case ENOSYS where !isImpatient, EPERM where !isImpatient:
        return try walk(along: steps()[...], flags, mode: mode)
      default: throw Errno(errno)
      }
    }
  }

  /// What openat2(2) does in one call, for kernels and sandboxes that lack it.
  private func walk(
    along path: ArraySlice<UInt8>, _ flags: Int32, mode: UInt32
  ) throws(Errno) -> OpenFile {
    let slash = path.firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
    let step = path[..<slash].map { CChar(bitPattern: $0) } + [0]
    guard slash < path.endIndex else {
      return OpenFile(
        owning: try Errno.check { cachectl_openat(file.descriptor, step, flags, mode) })
    }
    let way = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
    let next = OpenFile(owning: try Errno.check { cachectl_openat(file.descriptor, step, way, 0) })
    return try Directory(next).walk(along: path[(slash + 1)...], flags, mode: mode)
  }

  /// Opens the file `name` of this directory for reading, without waiting for whoever might write
  /// into a FIFO, and without moving its access time where the kernel allows that.
  @inline(__always)
  func openFile(_ name: UnsafePointer<CChar>) throws(Errno) -> OpenFile {
    let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW
    let quiet = cachectl_openat(file.descriptor, name, flags | Int32(CACHECTL_O_NOATIME), 0)
    if quiet >= 0 { return OpenFile(owning: quiet) }
    if errno != EPERM && errno != EINTR { throw Errno(errno) }
    return OpenFile(
      owning: try Errno.check { cachectl_openat(file.descriptor, name, flags, 0) })
  }

  /// stat(2) of `name` itself, never of what a link there points at.
  func status(of name: UnsafePointer<CChar>) throws(Errno) -> FileStatus {
    var raw = stat()
    _ = try Errno.check { fstatat(file.descriptor, name, &raw, AT_SYMLINK_NOFOLLOW) }
    return FileStatus(raw)
  }

  /// stat(2) of what lies at `path` itself, with no link followed on the way and nothing opened: a
  /// FIFO's writer would wake up, a device might do something.
  func status(beneath path: String) throws(Errno) -> FileStatus {
    try open(path, Int32(CACHECTL_O_PATH)).status()
  }

  func status() throws(Errno) -> FileStatus { try file.status() }

  func fileSystem() throws(Errno) -> FileSystemStatus { try file.fileSystem() }

  func synchronize() throws(Errno) { try file.synchronize() }

  /// fsync(2) of the directory that holds the name at `path`.
  func synchronize(directoryOf path: String) throws(Errno) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return try synchronize() }
    try directory(String(path[..<slash])).synchronize()
  }

  func changeMode(_ mode: UInt32) throws(Errno) { try file.changeMode(mode) }

  func changeOwner(_ owner: UInt32, group: UInt32) throws(Errno) {
    try file.changeOwner(owner, group: group)
  }

  func makeDirectory(_ name: String, mode: UInt32) throws(Errno) {
    _ = try Errno.check { mkdirat(file.descriptor, name, mode) }
  }

  func unlink(_ name: UnsafePointer<CChar>) throws(Errno) {
    _ = try Errno.check { unlinkat(file.descriptor, name, 0) }
  }

  func rename(
    _ name: String, to newName: String, in target: borrowing Directory
  ) throws(Errno) {
    _ = try Errno.check {
      renameat(file.descriptor, name, target.file.descriptor, newName)
    }
  }

  /// Calls `body` with every name but `.` and `..`, raw, since names need not be UTF-8, and with
  /// its d_type.
  ///
  /// Names are read in one pass: removing while reading may disturb the cursor.
  func forEachName(
    using buffer: UnsafeMutableRawBufferPointer,
    _ body: (_ name: UnsafeRawBufferPointer, _ type: UInt8) throws(Errno) -> Void
  ) throws(Errno) {
    // An own descriptor, so that the position is this walk's alone.
    let cursor = try open(".", O_RDONLY | O_DIRECTORY)
    while true {
      let got = try Errno.check {
        cachectl_getdents64(cursor.descriptor, buffer.baseAddress, buffer.count)
      }
      if got == 0 { return }
      var at = 0
      while at < got {
        guard let base = buffer.baseAddress else { return }
        let record = UnsafeRawPointer(base + at)
        let length = Int(record.load(fromByteOffset: 16, as: UInt16.self))
        let type = record.load(fromByteOffset: 18, as: UInt8.self)
        let name = UnsafeRawBufferPointer(
          start: record + 19, count: strlen((record + 19).assumingMemoryBound(to: CChar.self)))
        at += length
        if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) { continue }
        try body(name, type)
      }
    }
  }
}
