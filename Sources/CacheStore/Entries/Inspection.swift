public import CacheModel
internal import Glibc

/// Everything that is known of one entry, its content included.
public struct Inspection: Sendable {
  /// What an entry can be, see cachectl-layout(5).
  public enum State: String, Sendable, CaseIterable {
    /// The object is what its record says.
    case sound
    /// An object without a record.
    case stray
    /// A record without an object.
    case missing
    /// The object is what an earlier record says: a store did not reach its end.
    case interrupted
    /// The object is what no record says.
    case damaged
    /// The object cannot be read; nothing is concluded.
    case unreadable
    /// Something that is no file has the object's place.
    case foreign
    /// Neither record nor object.
    case absent
  }

  /// The entry.
  public let name: EntryName
  /// What it is.
  public fileprivate(set) var state = State.absent
  /// Why it is not sound, in words.
  public fileprivate(set) var detail: String?
  /// The last record of cost.jsonl.
  public fileprivate(set) var record: CostRecord?
  /// The last record of etag.jsonl.
  public fileprivate(set) var origin: OriginRecord?
  /// The object's length.
  public fileprivate(set) var bytes: Int64?
  /// The bytes that the object has allocated.
  public fileprivate(set) var allocated: Int64?
  /// The hash of the object's content.
  public fileprivate(set) var hash: ContentHash?
  /// The later of the record's and the object's last use, never later than now.
  public fileprivate(set) var lastUse: Instant?

  /// Whether a reader may be given the object.
  public var isServed: Bool { [.sound, .stray, .interrupted].contains(state) }
}

/// An entry that was looked at, and its object, open, where there is one to be read.
public struct InspectedObject: ~Copyable, Sendable {
  /// What was found.
  public fileprivate(set) var inspection: Inspection
  /// The object whose content was hashed.
  public fileprivate(set) var object: OpenObject?

  /// Gives the content to `take`, piece by piece, until it says that it is enough.
  ///
  /// - Throws: ``StoreError`` when the disk fails.
  public borrowing func read(
    _ take: (UnsafeRawBufferPointer) -> Bool
  ) throws(StoreError) {
    try object?.read(take)
  }

  /// Records a use now, at most once a minute; best effort.
  public borrowing func touch(in store: Store, now: Instant) {
    if object != nil { _ = store.touch(inspection.name, now: now) }
  }
}

extension Store {
  /// Looks at one entry: its records, its object and the object's content.
  ///
  /// Moves no time.
  ///
  /// - Throws: ``StoreError`` where a manifest cannot be read. An object that cannot is a state.
  public func inspect(_ name: EntryName, now: Instant) throws(StoreError) -> Inspection {
    try inspectedObject(name, now: now).inspection
  }

  /// Looks at one entry and keeps its object open, so that what is read is what was looked at.
  ///
  /// - Throws: ``StoreError`` where a manifest cannot be read.
  public func inspectedObject(
    _ name: EntryName, now: Instant
  ) throws(StoreError) -> InspectedObject {
    let shard = name.shard
    var inspection = Inspection(name: name)
    let records = try StoreError.attempt("read", Layout.cost(shard)) { () throws(Errno) in
      try unendedRecords(of: name)
    }
    inspection.record = records.last
    inspection.origin = try origin(of: name)
    var object: OpenObject?
    do throws(Errno) {
      // What is no file is never opened: a FIFO would hang, a device might do something.
      let status = try root.directory(Layout.objects(shard)).status(of: name)
      if status.kind == .regular {
        let file = try quietOpen(name)
        try inspection.take(file, records, now: now)
        object = OpenObject(
          name: name, file: file, byteCount: inspection.bytes ?? status.size,
          modified: status.modified)
      } else {
        inspection.foreign(status.kind)
      }
    } catch { inspection.refused(error) }
    inspection.settleLastUse(now: now)
    return InspectedObject(inspection: inspection, object: object)
  }

  /// Opens an object for looking at it, which is no use: not even the access time moves, where we
  /// are allowed to leave it.
  func quietOpen(_ name: EntryName) throws(Errno) -> OpenFile {
    let path = Layout.object(name)
    do { return try root.open(path, O_RDONLY | O_NONBLOCK | noAccessTime) } catch {
      guard error == .notPermitted else { throw error }
    }
    return try root.open(path, O_RDONLY | O_NONBLOCK)
  }

  /// The records of an entry behind the last line that ended it, oldest first.
  private func unendedRecords(of name: EntryName) throws(Errno) -> [CostRecord] {
    guard let file = try manifest(Layout.cost(name.shard)) else { return [] }
    let json = JSONReader()
    var records: [CostRecord] = []
    try LineReader().forEachLine(of: file) { line in
      // Whatever else is wrong with another's line, it says nothing of this one.
      if let other = OriginLine.leadingName(of: line.bytes), other != name { return }
      switch CostLine.read(line, with: json) {
      case .stored(let record): if record.name == name { records.append(record) }
      case .removed(let ended, _): if ended == name { records.removeAll() }
      case .damaged: break
      }
    }
    return records
  }
}

/// `O_NOATIME` of open(2), a macro that Swift does not import (asm-generic/fcntl.h).
private let noAccessTime: Int32 = 0o1_000_000

extension Inspection {
  fileprivate init(name: EntryName) { self.name = name }

  fileprivate mutating func foreign(_ kind: FileStatus.Kind) {
    state = .foreign
    detail = "a \(kind.rawValue), which is no file, has the object's place"
  }

  fileprivate mutating func refused(_ error: Errno) {
    guard error == .notFound else {
      state = .unreadable
      detail = "\(error)"
      return
    }
    state = record == nil ? .absent : .missing
    detail = record == nil ? nil : "recorded, but there is no object"
  }

  fileprivate mutating func settleLastUse(now: Instant) {
    lastUse = lastUse ?? record.map { min($0.used, now) }
  }

  fileprivate mutating func take(
    _ file: borrowing OpenFile, _ records: [CostRecord], now: Instant
  ) throws(Errno) {
    let status = try file.status()
    guard status.kind == .regular else { return foreign(status.kind) }
    bytes = status.size
    allocated = status.allocated
    lastUse = min(max(status.modified, record?.used ?? status.modified), now)
    let found = try file.contentHash(using: ContentHasher(), ContentHasher.chunk)
    hash = found
    judge(records, length: status.size, found)
  }

  private mutating func judge(_ records: [CostRecord], length: Int64, _ found: ContentHash) {
    func matches(_ record: CostRecord) -> Bool {
      record.bytes == length && (record.hash ?? found) == found
    }
    guard let last = records.last else {
      state = .stray
      detail = "the object has no record"
      return
    }
    if matches(last) {
      state = .sound
    } else if records.contains(where: matches) {
      state = .interrupted
      detail = "the object is what an earlier record says; the last store did not finish"
    } else {
      state = .damaged
      detail =
        last.bytes == length
        ? "its content is not what was recorded" : "\(length) bytes, \(last.bytes) recorded"
    }
  }
}
