internal import CacheModel
internal import Glibc

/// Looks at objects of one shard.
struct ObjectLook: ~Copyable {
  private let directory: Directory
  private let now: Instant
  private let inodes: Int64

  /// `inodes` is how many the file system has in all, to tell where among them one lies.
  init(_ shard: Shard, of store: Store, now: Instant, inodes: Int64 = 0) throws(Errno) {
    directory = try store.root.directory(Layout.objects(shard))
    self.now = now
    self.inodes = inodes
  }

  /// The directory's modification time, nanoseconds since 1970.
  func directoryModified() throws(Errno) -> Int64 { try directory.status().modifiedNanoseconds }

  /// Calls `body` with every name in the directory.
  func forEachName(
    using buffer: UnsafeMutableRawBufferPointer,
    _ body: (_ name: UnsafeRawBufferPointer, _ type: UInt8) throws(Errno) -> Void
  ) throws(Errno) {
    try directory.forEachName(using: buffer, body)
  }

  enum Finding: Equatable {
    case object
    case gone
    /// Something else has the object's place.
    case foreign(FileStatus.Kind)
    /// Nothing is concluded.
    case unreadable(Errno)
  }

  /// Puts the truth in the place of what a record says.
  func look(at candidate: inout Candidate) -> Finding {
    let status: FileStatus
    do { status = try directory.status(of: candidate.name) } catch {
      return error == .notFound ? .gone : .unreadable(error)
    }
    guard status.kind == .regular else { return .foreign(status.kind) }
    candidate.take(status, now: now)
    candidate.place = status.place(among: inodes)
    return .object
  }
}

extension Candidate {
  /// The bound that a record gives, held to the present.
  init(_ record: CostRecord, now: Instant, room: FileSystemStatus) {
    self.init(
      name: record.name, lastUse: min(record.used, now), bytes: record.bytes,
      allocated: room.allocation(of: record.bytes), cost: record.cost,
      traits: record.used > now ? .future : [])
  }

  /// An object without a record: its own time and length are all there is.
  init(stray name: EntryName) {
    self.init(
      name: name, lastUse: Instant(milliseconds: .min), bytes: 0, allocated: 0, cost: 0,
      traits: .stray)
  }

  /// Takes the truth from the object: the later of its time and the recorded one, never later than
  /// now.
  mutating func take(_ status: FileStatus, now: Instant) {
    if status.modified > now { traits.insert(.future) }
    lastUse = min(max(lastUse, status.modified), now)
    bytes = status.size
    allocated = status.allocated / Int64(clamping: max(status.links, 1))
    if traits.contains(.stray) { cost = status.size }
    traits.insert(.exact)
  }
}

extension FileStatus {
  /// Which 256th of the file system's inodes this one is among.
  fileprivate func place(among inodes: Int64) -> UInt8 {
    guard inodes > 0 else { return 0 }
    let (high, low) = UInt64(256).multipliedFullWidth(by: inode)
    let divisor = UInt64(inodes)
    return high < divisor ? UInt8(clamping: divisor.dividingFullWidth((high, low)).quotient) : .max
  }
}

extension Directory {
  /// stat(2) of an object, its name spelt out on the stack.
  func status(of name: EntryName) throws(Errno) -> FileStatus {
    let found = name.withCString { name in
      Result { () throws(Errno) in try status(of: name) }
    }
    return try found.get()
  }

  func unlink(_ name: EntryName) throws(Errno) {
    let done = name.withCString { name in Result { () throws(Errno) in try unlink(name) } }
    try done.get()
  }
}

extension EntryName {
  /// The name as a C string, without allocating.
  @inline(__always)
  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    withUnsafeTemporaryAllocation(byteCount: 65, alignment: 8) { buffer in
      spell(into: buffer)
      let text = buffer.assumingMemoryBound(to: CChar.self)
      return text.baseAddress.map { body($0) } ?? body("")
    }
  }

  /// Writes the name and a NUL to 65 bytes.
  @inline(__always)
  func spell(into buffer: UnsafeMutableRawBufferPointer) {
    write(to: buffer)
    buffer[Self.digitCount] = 0
  }
}
