internal import CacheModel
internal import Glibc

/// The rewriting of a shard's manifests.
///
/// Memory is reused from shard to shard. For one thread at a time.
struct ShardCompaction {
  private(set) var result = CompactionResult()
  private var records = ShardRecords()
  private let reader = LineReader()
  private let json = JSONReader()
  private var lines = LineWriter()
  /// Names whose earlier lines stay, because the object may still be what they speak of.
  private var undecided: Set<EntryName> = []
  /// For every slot, whether its object is there.
  private var isPresent: [Bool] = []
  /// Slots whose last use is later than their line says.
  private var learnt: Set<Int> = []
  /// Whether the manifest at hand would not come out as it is.
  private var isChanged = false
  private var originCount = 0
  private let learnsUses: Bool

  init(learningUses looking: Bool) { learnsUses = looking }

  /// What cost.jsonl is to be; nil where it stays as it is.
  mutating func draftCost(_ shard: inout LockedShard) throws(Errno) -> TemporaryFile? {
    begin()
    try shard.cost.read { (file) throws(Errno) in
      try records.load(file, reader: reader, json: json)
    }
    try settle(shard)
    try shard.cost.read { (file) throws(Errno) in try keepCosts(of: file) }
    count(before: shard.cost.length, lines: records.lineCount)
    result.damagedLines += records.damagedLineCount
    // An object may be there whose record was such a line: only a listing can tell.
    if records.damagedLineCount > 0 { shard.distrust() }
    guard isChanged else { return nil }
    return try shard.cost.read { (file) throws(Errno) in try draft(like: file, of: shard.store) }
  }

  private mutating func begin() {
    result = CompactionResult()
    records.clear()
    lines.clear()
    undecided = []
    learnt = []
    isChanged = false
    originCount = 0
  }

  /// Looks at every object once: its last use, whether it is there, and where a store may have been
  /// interrupted, which record it is.
  private mutating func settle(_ shard: borrowing LockedShard) throws(Errno) {
    isPresent = [Bool](repeating: true, count: records.slots.count)
    if shard.isWitnessed, !learnsUses { return }
    for index in records.slots.indices where records.slots[index].isLive {
      let name = records.slots[index].record.name
      do {
        let status = try shard.objects.status(of: name)
        if status.kind == .regular, records.learn(index, used: min(status.modified, .now)) {
          learnt.insert(index)
        }
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

  private mutating func keepCosts(of file: borrowing OpenFile) throws(Errno) {
    var kept = KeptLines()
    for index in records.slots.indices where records.slots[index].isLive && isPresent[index] {
      kept.add(records.slots[index].offset, index)
    }
    kept.sort()
    try reader.forEachLine(of: file) { line in
      if let index = kept.slot(at: line.offset) {
        if self.learnt.contains(index), self.isOwn(line) {
          self.replace(by: self.records.slots[index].record)
        } else {
          self.keep(line)
        }
      } else if self.isUndecided(line) {
        self.keep(line)
      } else {
        self.isChanged = true
      }
    }
  }

  /// Whether a record, though not the last of its name, may be that of the object.
  private func isUndecided(_ line: LineReader.Line) -> Bool {
    guard !undecided.isEmpty, case .stored(let record) = CostLine.read(line, with: json),
      undecided.contains(record.name), let index = records.index(of: record.name)
    else { return false }
    return isPresent[index]
  }

  /// Whether a line is as this library writes it: one with members of others is copied as it is, and
  /// its `used` stays a lower bound.
  private func isOwn(_ line: LineReader.Line) -> Bool {
    guard case .stored(let record) = CostLine.read(line, with: json) else { return false }
    var own = LineWriter()
    own.cost(record)
    return own.bytes.count == line.bytes.count + 1 && own.bytes.starts(with: line.bytes)
  }

  private mutating func replace(by record: CostRecord) {
    lines.cost(record)
    result.linesAfter += 1
    isChanged = true
  }

  private mutating func keep(_ line: LineReader.Line) {
    lines.copy(line.bytes)
    result.linesAfter += 1
  }

  private mutating func count(before length: Int64, lines count: Int) {
    result.bytesBefore += length
    result.linesBefore += count
    result.bytesAfter += Int64(lines.bytes.count)
  }

  /// The same of etag.jsonl.
  mutating func draftOrigin(_ shard: borrowing LockedShard) throws(Errno) -> TemporaryFile? {
    lines.clear()
    isChanged = false
    let old = try shard.openOrigin()
    try old.read { (file) throws(Errno) in try keepOrigins(of: file, shard) }
    count(before: old.length, lines: originCount)
    guard isChanged else { return nil }
    return try old.read { (file) throws(Errno) in try draft(like: file, of: shard.store) }
  }

  private mutating func keepOrigins(
    of file: borrowing OpenFile, _ shard: borrowing LockedShard
  ) throws(Errno) {
    var last = LastLines(slots: records.slots.count)
    try reader.forEachLine(of: file) { line in
      self.originCount += 1
      switch OriginGlance.read(line, with: self.json) {
      case .stored(let name, _, _): last.note(name, self.records.slot(of: name), line.offset)
      case .removed(let name): last.note(name, self.records.slot(of: name), nil)
      case .damaged: self.result.damagedLines += 1
      }
    }
    for slot in records.slots.indices where !holds(slot, shard) { last.known[slot] = nil }
    for name in last.others.keys where !isThere(name, shard) { last.others[name] = nil }
    var kept = KeptLines()
    for offset in last.offsets { kept.add(offset, 0) }
    kept.sort()
    try reader.forEachLine(of: file) { line in
      if kept.slot(at: line.offset) != nil || self.isUndecided(line, last) {
        self.keep(line)
      } else {
        self.isChanged = true
      }
    }
  }

  /// The same of a line of etag.jsonl.
  private func isUndecided(_ line: LineReader.Line, _ last: LastLines) -> Bool {
    guard !undecided.isEmpty, case .stored(let name, _, _) = OriginGlance.read(line, with: json),
      undecided.contains(name), let slot = records.slot(of: name)
    else { return false }
    return last.known[slot] != nil
  }

  /// Whether the entry of a slot is there; an ended one may be, as a stray that was stored again.
  private func holds(_ slot: Int, _ shard: borrowing LockedShard) -> Bool {
    let isLive = records.slots[slot].isLive
    return isLive ? isPresent[slot] : isThere(records.slots[slot].record.name, shard)
  }

  private func isThere(_ name: EntryName, _ shard: borrowing LockedShard) -> Bool {
    (try? shard.objects.status(of: name)) != nil
  }

  private func draft(
    like old: borrowing OpenFile, of store: Store
  ) throws(Errno) -> TemporaryFile {
    let new = try TemporaryFile(in: store)
    try new.file.write(bytes: lines.bytes)
    try store.ownership.copy(from: old.status(), to: new.file)
    new.file.beginWriting()
    return new
  }
}

extension OpenFile {
  func write(bytes: [UInt8]) throws(Errno) {
    try bytes.withBytes { (bytes) throws(Errno) in try write(bytes) }
  }
}

/// Where the last line of each name begins that nothing ended.
private struct LastLines {
  /// Of names that cost.jsonl speaks of, by its slots: all of them as a rule.
  var known: [Int64?]
  var others: [EntryName: Int64] = [:]

  init(slots count: Int) { known = [Int64?](repeating: nil, count: count) }

  mutating func note(_ name: EntryName, _ slot: Int?, _ offset: Int64?) {
    if let slot { known[slot] = offset } else { others[name] = offset }
  }

  var offsets: [Int64] { known.compactMap { $0 } + others.values }
}

/// The lines that stay, by where they begin.
private struct KeptLines {
  private var lines: [(offset: Int64, slot: Int)] = []
  private var next = 0

  mutating func add(_ offset: Int64, _ slot: Int) { lines.append((offset, slot)) }

  mutating func sort() { lines.sort { $0.offset < $1.offset } }

  /// The slot of the line that begins at `offset`, where it stays; asked for line after line.
  mutating func slot(at offset: Int64) -> Int? {
    guard next < lines.count, lines[next].offset == offset else { return nil }
    next += 1
    return lines[next - 1].slot
  }
}
