internal import CLinux
internal import CacheModel
internal import Glibc

/// An open file, closed when its owner lets go of it.
///
/// Each call is the system call of its name.
public struct OpenFile: ~Copyable, Sendable {
  /// The descriptor, for as long as this value lives.
  public let descriptor: Int32

  /// Takes over an open descriptor.
  public init(owning descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Gives the descriptor away; the taker closes it.
  public consuming func release() -> Int32 {
    let taken = descriptor
    discard self
    return taken
  }

  func status() throws(Errno) -> FileStatus {
    var raw = stat()
    _ = try Errno.check { fstat(descriptor, &raw) }
    return FileStatus(raw)
  }

  /// pread(2): how many bytes came, 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(Errno) -> Int {
    try Errno.check {
      cachectl_pread(descriptor, buffer.baseAddress, buffer.count, offset)
    }
  }

  /// Fills the buffer from `offset`, stopping early only at the end of the file.
  func readFully(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(Errno) -> Int {
    var filled = 0
    while filled < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let got = try read(into: rest, at: offset + Int64(filled))
      if got == 0 { break }
      filled += got
    }
    return filled
  }

  /// The first bytes, as many as there are up to `count`.
  func bytes(atMost count: Int) throws(Errno) -> [UInt8] {
    var failure: Errno?
    // Not cleared first: reading writes every byte that is given out.
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(Errno) {
        filled = try readFully(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
      } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
  }

  /// The next bytes of a stream: read(2).
  func readNext(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    try Errno.check { Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
  }

  /// Writes everything: one write(2), and more only where the kernel takes less.
  func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
    var rest = bytes
    while rest.count > 0 {
      let written = try Errno.check { Glibc.write(descriptor, rest.baseAddress, rest.count) }
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(Errno) {
    var done = 0
    while done < bytes.count {
      done += try Errno.check {
        pwrite(
          descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done,
          off_t(offset) + off_t(done))
      }
    }
  }

  func truncate(to size: Int64) throws(Errno) {
    _ = try Errno.check { ftruncate(descriptor, off_t(size)) }
  }

  /// Has what was written go to the disk while the caller does other things; only a hint.
  func beginWriting() { _ = cachectl_begin_writing(descriptor) }

  /// fsync(2): data and metadata reach the disk.
  func synchronize() throws(Errno) { _ = try Errno.check { fsync(descriptor) } }

  func changeMode(_ mode: UInt32) throws(Errno) {
    _ = try Errno.check { fchmod(descriptor, mode) }
  }

  func changeOwner(_ owner: UInt32, group: UInt32) throws(Errno) {
    _ = try Errno.check { fchown(descriptor, owner, group) }
  }

  /// Sets access and modification time to now; with no times given it is allowed to whoever may
  /// write, not to the owner alone (utimensat(2)).
  func touch() throws(Errno) { _ = try Errno.check { futimens(descriptor, nil) } }

  func setModified(seconds: Int64, nanoseconds: Int64) throws(Errno) {
    let time = timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds))
    let times = [time, time]
    _ = try Errno.check { futimens(descriptor, times) }
  }

  /// flock(2), which the kernel lets go of when the last copy of the descriptor is closed.
  func lock(exclusive: Bool = true, blocking: Bool = true) throws(Errno) {
    let kind = exclusive ? LOCK_EX : LOCK_SH
    _ = try Errno.check { flock(descriptor, blocking ? kind : kind | LOCK_NB) }
  }

  /// Waits for the lock where the file system has locks.
  ///
  /// One that has none gives no exclusion: what takes this lock stays right without it, and may do
  /// work twice.
  func lockWhereLocksAre() throws(Errno) {
    do { try lock() } catch {
      guard Errno.noLocks.contains(error) else { throw error }
    }
  }

  /// statvfs(3) of the file system that holds the file.
  func fileSystem() throws(Errno) -> FileSystemStatus {
    var raw = statvfs()
    _ = try Errno.check { fstatvfs(descriptor, &raw) }
    return FileSystemStatus(raw)
  }
}

extension FileSystemStatus {
  init(_ raw: statvfs) {
    let unit = Int64(raw.f_frsize)
    func bytes(_ blocks: UInt) -> Int64 {
      let (product, overflow) = Int64(clamping: blocks).multipliedReportingOverflow(by: unit)
      return overflow ? Int64.max : product
    }
    self.init(
      totalBytes: bytes(raw.f_blocks), freeBytes: bytes(raw.f_bavail),
      totalInodes: Int64(clamping: raw.f_files), freeInodes: Int64(clamping: raw.f_favail),
      blockSize: max(unit, 1))
  }
}
