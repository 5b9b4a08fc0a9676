internal import CacheModel
internal import Glibc

/// Reads what a shard should hold and what it does hold, and joins the two.
///
/// The records come first: an object that appears after them is looked up again later, and so is a
/// record whose object has gone meanwhile. For one thread at a time.
final class SliceLoader {
  private let store: Store
  private let reader = LineReader()
  private let json = JSONReader()
  private var records = ShardRecords()
  private var names = [UInt8](repeating: 0, count: 1 << 16)
  private var items: [VerifySlice.Item] = []
  private var result = SliceResult()
  private let wantsTypes: Bool
  /// What the origin declared, for every slot of the records.
  private var declared: [DeclaredType] = []

  init(_ store: Store, wantsTypes: Bool) {
    self.store = store
    self.wantsTypes = wantsTypes
  }

  /// The slice, or what kept it from being checked.
  func load(_ order: SliceOrder) -> Result<VerifySlice, SliceFailure> {
    result = SliceResult()
    let shard = order.shard
    let start = Instant.now
    guard loadRecords(of: shard) else {
      return .failure(SliceFailure(result: result, start: start))
    }
    if order.ownsShard || wantsTypes { checkOrigins(of: shard) }
    if !order.ownsShard { result.hasBadLines = false }
    do {
      let directory = try store.root.directory(Layout.objects(shard))
      items = []
      items.reserveCapacity(order.isWhole ? records.liveCount : 0)
      try list(order, directory)
      suspectMissing(order)
      return .success(VerifySlice(order, directory, take(&items), result, start: start))
    } catch {
      note(.unreadable, Layout.objects(shard), "\(error)")
      return .failure(SliceFailure(result: result, start: start))
    }
  }

  struct SliceFailure: Error {
    let result: SliceResult
    let start: Instant
  }

  private func take(_ items: inout [VerifySlice.Item]) -> [VerifySlice.Item] {
    defer { items = [] }
    return items
  }

  private func note(_ kind: Finding.Kind, _ path: String, _ detail: String) {
    result.note(Finding(kind, path: path, detail: detail))
  }

  /// False where the records cannot be had: then nothing is concluded about the shard's objects.
  private func loadRecords(of shard: Shard) -> Bool {
    records.clear()
    let isRead = readManifest(Layout.cost(shard)) { (file) throws(Errno) in
      try self.records.load(file, reader: self.reader, json: self.json)
    }
    result.hasBadLines = !records.damagedLines.isEmpty
    return isRead
  }

  private func checkOrigins(of shard: Shard) {
    if wantsTypes { declared = Array(repeating: .none, count: records.slots.count) }
    _ = readManifest(Layout.origin(shard)) { (file) throws(Errno) in
      try self.reader.forEachLine(of: file) { line in
        let isRecord =
          self.wantsTypes ? self.learnType(line) : OriginCheck.isRecord(line, self.json)
        if !isRecord { self.result.hasBadLines = true }
      }
    }
  }

  private func learnType(_ line: LineReader.Line) -> Bool {
    switch OriginLine.read(line, with: json) {
    case .damaged: return false
    case .removed: break
    case .stored(let name, let record):
      if let index = records.index(of: name) { declared[index] = DeclaredType(record.type) }
    }
    return true
  }

  /// Reads a manifest; a missing one holds nothing.
  ///
  /// What is no regular file is not opened.
  private func readManifest(
    _ path: String, _ body: (borrowing OpenFile) throws(Errno) -> Void
  ) -> Bool {
    do throws(Errno) {
      let kind = try store.root.status(at: path).kind
      guard kind == .regular else {
        note(.unreadable, path, kind.asForeign)
        return false
      }
      try body(try store.root.open(path, O_RDONLY | O_NONBLOCK))
      return true
    } catch {
      if error != .notFound { note(.unreadable, path, "\(error)") }
      return error == .notFound
    }
  }

  private func list(_ order: SliceOrder, _ directory: borrowing Directory) throws(Errno) {
    var buffer: [UInt8] = []
    swap(&buffer, &names)
    defer { swap(&buffer, &names) }
    try buffer.withMutableBytes { (buffer) throws(Errno) in
      try directory.forEachName(using: buffer) { (raw, type) throws(Errno) in
        self.listed(raw, type, order)
      }
    }
  }

  @inline(__always)
  private func listed(_ raw: UnsafeRawBufferPointer, _ type: UInt8, _ order: SliceOrder) {
    guard let name = EntryName(hexDigits: raw), name.shard == order.shard else {
      if order.ownsShard { noteForeign(raw, order.shard) }
      return
    }
    guard order.holds(name) else { return }
    // Listed, whatever it is: a record whose object is something foreign is not missing as well.
    let index = records.index(of: name)
    if index != nil { _ = records.markListed(name) }
    guard type == UInt8(DT_REG) || type == UInt8(DT_UNKNOWN) else {
      let kind = FileStatus.Kind(directoryType: type)
      return result.note(Finding(.foreign, name, kind.asForeign))
    }
    guard let index, type != UInt8(DT_UNKNOWN) else {
      return result.suspects.append(.init(name: name, look: .changed))
    }
    let record = records.slots[index].record
    items.append(
      .init(
        name: name, bytes: record.bytes, hash: record.hash,
        declared: wantsTypes ? declared[index] : .none))
  }

  private func noteForeign(_ raw: UnsafeRawBufferPointer, _ shard: Shard) {
    note(.foreign, "\(Layout.objects(shard))/\(printable(raw))", "not the name of an object")
  }

  private func suspectMissing(_ order: SliceOrder) {
    for slot in records.slots
    where slot.isLive && !slot.isListed && order.holds(slot.record.name) {
      result.suspects.append(.init(name: slot.record.name, look: .gone))
    }
  }
}

extension Directory {
  /// stat(2) of a path of the layout.
  func status(at path: String) throws(Errno) -> FileStatus {
    let found = path.withCString { path in Result { () throws(Errno) in try status(of: path) } }
    return try found.get()
  }
}

extension FileStatus.Kind {
  /// The kind that a directory's entry gives (readdir(3)).
  init(directoryType type: UInt8) {
    self =
      switch Int(type) {
      case Int(DT_DIR): .directory
      case Int(DT_LNK): .link
      case Int(DT_FIFO): .fifo
      case Int(DT_SOCK): .socket
      case Int(DT_REG): .regular
      default: .device
      }
  }

  /// What a finding says of it.
  var asForeign: String { "a \(self == .link ? "symbolic link" : rawValue), not a regular file" }
}
