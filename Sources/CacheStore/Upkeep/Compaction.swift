public import CacheModel
internal import Glibc

/// What rewriting manifests came to.
public struct CompactionResult: Sendable, Equatable {
  /// Lines before and after.
  public var linesBefore = 0
  /// Lines that were kept.
  public var linesAfter = 0
  /// Bytes of the manifests before.
  public var bytesBefore: Int64 = 0
  /// Bytes of the manifests after.
  public var bytesAfter: Int64 = 0
  /// Lines that could not be read and are gone.
  public var damagedLines = 0

  /// Nothing yet.
  public init() {}

  /// Adds another part's result.
  public mutating func merge(_ other: CompactionResult) {
    linesBefore += other.linesBefore
    linesAfter += other.linesAfter
    bytesBefore += other.bytesBefore
    bytesAfter += other.bytesAfter
    damagedLines += other.damagedLines
  }
}

extension Store {
  /// Rewrites the manifests of a shard without their dead lines.
  ///
  /// Each is written beside the old one, synced and renamed over it, with the shard's lock held. The
  /// last uses that the objects' times tell go into the records, so that the next gc looks at fewer.
  ///
  /// - Throws: ``StoreError``; the old manifest then stands.
  public func compact(_ shard: Shard) throws(StoreError) -> CompactionResult {
    var locked = try LockedShard(shard, of: self)
    let result = try locked.compact()
    try locked.finish()
    return result
  }
}

extension LockedShard {
  /// Rewrites the shard's manifests, as a part of a change.
  mutating func compact() throws(StoreError) -> CompactionResult {
    var compaction = Compaction()
    do throws(Errno) {
      try compaction.rewriteCost(&self)
      try compaction.rewriteOrigin(&self)
    } catch { throw StoreError("rewrite", Layout.manifests(shard), .system(error)) }
    return compaction.result
  }
}

/// The rewriting of one shard's manifests.
private struct Compaction {
  var result = CompactionResult()
  private var records = ShardRecords()
  private let reader = LineReader()
  private let json = JSONReader()
  private var lines = LineWriter()
  /// Names whose earlier lines stay, because the object may still be what they speak of.
  private var undecided: Set<EntryName> = []
  /// For every slot, whether its object is there.
  private var isPresent: [Bool] = []
  /// Whether the manifest at hand would not come out as it is.
  private var isChanged = false
  private var originCount = 0

  init() {}

  mutating func rewriteCost(_ shard: inout LockedShard) throws(Errno) {
    try shard.cost.read { (file) throws(Errno) in
      try records.load(file, reader: reader, json: json)
    }
    try settle(shard)
    try shard.cost.read { (file) throws(Errno) in
      try reader.forEachLine(of: file) { self.keepCost(CostLine.read($0, with: self.json), $0) }
    }
    count(before: shard.cost.length, lines: records.lineCount)
    result.damagedLines += records.damagedLineCount
    // An object may be there whose record was such a line: only a listing can tell.
    if records.damagedLineCount > 0 { shard.distrust() }
    guard isChanged else { return }
    let new = try shard.cost.read { (file) throws(Errno) in try draft(like: file, of: shard.store) }
    guard var new else { return }
    try shard.replaceCost(by: &new)
  }

  /// Looks at every object once: its last use, whether it is there, and where a store may have been
  /// interrupted, which record it is.
  private mutating func settle(_ shard: borrowing LockedShard) throws(Errno) {
    isPresent = [Bool](repeating: true, count: records.slots.count)
    for index in records.slots.indices where records.slots[index].isLive {
      let name = records.slots[index].record.name
      do {
        let status = try shard.objects.status(of: name)
        if status.kind == .regular { records.learn(index, used: min(status.modified, .now)) }
      } catch {
        guard error == .notFound else { throw error }
        isPresent[index] = false
      }
      // A right witness tells that every store reached its end.
      guard !shard.isWitnessed, records.slots[index].hasPredecessor else { continue }
      if !isLast(records.slots[index].record, in: shard) { undecided.insert(name) }
    }
  }

  /// Whether the object is what the last record says; what cannot be read decides nothing.
  private func isLast(_ record: CostRecord, in shard: borrowing LockedShard) -> Bool {
    guard let hash = record.hash,
      (try? shard.objects.status(of: record.name))?.kind == .regular,
      let file = try? shard.objects.openFile(record.name)
    else { return false }
    return (try? file.contentHash(using: ContentHasher(), ContentHasher.chunk)) == hash
  }

  private mutating func keepCost(_ line: CostLine, _ raw: LineReader.Line) {
    guard case .stored(let record) = line, let index = records.index(of: record.name),
      isPresent[index]
    else { return drop() }
    let slot = records.slots[index]
    guard slot.offset == raw.offset else {
      return undecided.contains(record.name) ? keep(raw) : drop()
    }
    // A line with members of others is copied as it is; its `used` stays a lower bound.
    var own = LineWriter()
    own.cost(record)
    let isOwn = own.bytes.count == raw.bytes.count + 1 && own.bytes.starts(with: raw.bytes)
    if isOwn, slot.record != record { replace(by: slot.record) } else { keep(raw) }
  }

  private mutating func replace(by record: CostRecord) {
    lines.cost(record)
    result.linesAfter += 1
    isChanged = true
  }

  private mutating func drop() { isChanged = true }

  private mutating func keep(_ line: LineReader.Line) {
    lines.copy(line.bytes)
    result.linesAfter += 1
  }

  private mutating func count(before length: Int64, lines count: Int) {
    result.bytesBefore += length
    result.linesBefore += count
    result.bytesAfter += Int64(lines.bytes.count)
  }

  mutating func rewriteOrigin(_ shard: inout LockedShard) throws(Errno) {
    lines.clear()
    isChanged = false
    let old = try ManifestFile(Layout.originFile, in: shard.manifests)
    try old.read { (file) throws(Errno) in try keepOrigins(of: file, shard) }
    count(before: old.length, lines: originCount)
    guard isChanged else { return }
    let new = try old.read { (file) throws(Errno) in try draft(like: file, of: shard.store) }
    guard var new else { return }
    try new.rename(to: Layout.originFile, in: shard.manifests)
  }

  private mutating func keepOrigins(
    of file: borrowing OpenFile, _ shard: borrowing LockedShard
  ) throws(Errno) {
    var last: [EntryName: Int64] = [:]
    try reader.forEachLine(of: file) { line in
      self.originCount += 1
      switch OriginLine.read(line, with: self.json) {
      case .stored(let name, _): last[name] = line.offset
      case .removed(let name): last[name] = nil
      case .damaged: self.result.damagedLines += 1
      }
    }
    for name in last.keys where !holds(name, shard) { last[name] = nil }
    try reader.forEachLine(of: file) { line in
      guard case .stored(let name, _) = OriginLine.read(line, with: self.json),
        let offset = last[name], offset == line.offset || self.undecided.contains(name)
      else { return self.drop() }
      self.keep(line)
    }
  }

  /// Whether an entry is there, with a record or as a stray whose record was lost.
  private func holds(_ name: EntryName, _ shard: borrowing LockedShard) -> Bool {
    if let index = records.index(of: name) { return isPresent[index] }
    return (try? shard.objects.status(of: name)) != nil
  }

  private func draft(
    like old: borrowing OpenFile, of store: Store
  ) throws(Errno) -> TemporaryFile {
    let new = try TemporaryFile(in: store)
    try new.file.write(bytes: lines.bytes)
    try store.ownership.copy(from: old.status(), to: new.file)
    try new.file.synchronize()
    return new
  }
}

extension OpenFile {
  func write(bytes: [UInt8]) throws(Errno) {
    try bytes.withBytes { (bytes) throws(Errno) in try write(bytes) }
  }
}
