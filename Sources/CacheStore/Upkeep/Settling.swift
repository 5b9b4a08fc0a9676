public import CacheModel
internal import Glibc
internal import Synchronization

extension Store {
  /// Brings a shard's records in line with its directory, so that its witness holds again.
  ///
  /// Records without an object are ended; after an interrupted replacement the records of the object
  /// that is there are appended again; lines that cannot be read go. Objects without a record, or of
  /// which no record speaks, stay as they are, and the shard goes on being listed.
  ///
  /// - Returns: whether the witness holds now.
  /// - Throws: ``StoreError`` where the shard cannot be read or changed.
  @discardableResult
  public func settle(_ shard: Shard, now: Instant) throws(StoreError) -> Bool {
    var locked = try LockedShard(shard, of: self)
    var settling = Settling(now: now)
    // A right witness vouches for the names; a length may be wrong all the same.
    try locked.begin()
    try StoreError.attempt("read", Layout.manifests(shard)) { () throws(Errno) in
      try settling.load(locked)
    }
    let isSettled = try StoreError.attempt("settle", Layout.objects(shard)) { () throws(Errno) in
      try settling.compare(with: locked)
    }
    try locked.appendCost(settling.costLines)
    try locked.appendOrigin(settling.originLines)
    if settling.hasDamage {
      var compaction = ShardCompaction(learningUses: false)
      try locked.compact(&compaction)
    }
    locked.settle(isSettled)
    try locked.finish()
    return isSettled
  }

  /// Settles several shards, on as many threads as there are processors, until `shouldStop`.
  ///
  /// - Returns: why shards could not be settled.
  public func settle(
    _ shards: [Shard], now: Instant, unless shouldStop: @Sendable () -> Bool
  ) -> [StoreError] {
    let queue = WorkQueue(shards.count)
    let errors = Mutex<[StoreError]>([])
    withoutActuallyEscaping(shouldStop) { shouldStop in
      onThreads(min(processorCount, shards.count)) { [self] _ in
        while !shouldStop(), let index = queue.take() {
          do throws(StoreError) { try settle(shards[index], now: now) } catch {
            let error = error
            errors.withLock { $0.append(error) }
          }
        }
      }
    }
    return errors.withLock { $0 }
  }
}

/// The settling of one shard.
private struct Settling {
  let now: Instant
  /// What is due in the two manifests.
  private(set) var costLines = LineWriter()
  private(set) var originLines = LineWriter()
  private var records = ShardRecords()
  private let reader = LineReader()
  private let json = JSONReader()
  private let hasher = ContentHasher()
  private var isUnclear = false
  private var isOriginTorn = false

  init(now: Instant) { self.now = now }

  /// Whether there are lines that cannot be read.
  var hasDamage: Bool { records.damagedLineCount > 0 || isOriginTorn }

  mutating func load(_ shard: borrowing LockedShard) throws(Errno) {
    try shard.cost.read { (file) throws(Errno) in
      try records.load(file, reader: reader, json: json)
    }
    isOriginTorn = try !shard.openOrigin().isLastLineWhole()
  }

  /// Whether the directory holds exactly what the records will say.
  mutating func compare(with shard: borrowing LockedShard) throws(Errno) -> Bool {
    try list(shard)
    for slot in records.slots where slot.isLive {
      if slot.isListed {
        try compare(slot, shard)
      } else {
        costLines.removed(slot.record.name, at: now, why: "missing")
        originLines.removed(slot.record.name, at: now, why: "missing")
      }
    }
    return !isUnclear
  }

  private mutating func list(_ shard: borrowing LockedShard) throws(Errno) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    try buffer.withMutableBytes { (buffer) throws(Errno) in
      try shard.objects.forEachName(using: buffer) { (raw, _) throws(Errno) in
        guard let name = EntryName(hexDigits: raw), self.records.markListed(name) else {
          self.isUnclear = true
          return
        }
      }
    }
  }

  /// An object that is not what its record says is looked up among the earlier records.
  private mutating func compare(
    _ slot: ShardRecords.Slot, _ shard: borrowing LockedShard
  ) throws(Errno) {
    let status = try shard.objects.status(of: slot.record.name)
    if status.size == slot.record.bytes, status.kind == .regular, isCertain(slot, shard) { return }
    guard status.kind == .regular, slot.hasPredecessor,
      let hash = hash(of: slot.record.name, shard)
    else {
      isUnclear = true
      return
    }
    if slot.record.isMatched(by: status.size, hash) { return }
    guard let earlier = try earlierRecord(slot.record.name, status.size, hash, shard) else {
      isUnclear = true
      return
    }
    costLines.cost(earlier)
    if let line = try originLine(earlier, shard) { line.withUnsafeBytes { originLines.copy($0) } }
  }

  /// Whether the right length is proof enough: the entry was not replaced, or its replacement reached
  /// its end; or the shard will be listed again whatever this object is.
  private func isCertain(_ slot: ShardRecords.Slot, _ shard: borrowing LockedShard) -> Bool {
    !slot.hasPredecessor || slot.offset < shard.witness.manifestLength || isUnclear
  }

  /// The hash of what the object holds; nil where it cannot be read, which decides nothing.
  private func hash(of name: EntryName, _ shard: borrowing LockedShard) -> ContentHash? {
    try? shard.objects.openFile(name).contentHash(using: hasher, ContentHasher.chunk)
  }

  /// The record, not the last, whose content the object is.
  private func earlierRecord(
    _ name: EntryName, _ size: Int64, _ hash: ContentHash, _ shard: borrowing LockedShard
  ) throws(Errno) -> CostRecord? {
    var found: CostRecord?
    try shard.cost.read { (file) throws(Errno) in
      try reader.forEachLine(of: file) { line in
        guard case .stored(let record) = CostLine.read(line, with: self.json) else { return }
        if record.name == name, record.isMatched(by: size, hash) { found = record }
      }
    }
    return found
  }

  /// The last line of etag.jsonl that speaks of the content of `record`, as it stands there.
  private func originLine(
    _ record: CostRecord, _ shard: borrowing LockedShard
  ) throws(Errno) -> [UInt8]? {
    let origin = try shard.openOrigin()
    var found: [UInt8]?
    try origin.read { (file) throws(Errno) in
      try reader.forEachLine(of: file) { line in
        guard OriginLine.leadingName(of: line.bytes) ?? record.name == record.name,
          case .stored(record.name, let read) = OriginLine.read(line, with: self.json),
          read.hash == record.hash
        else { return }
        found = Array(line.bytes)
      }
    }
    return found
  }
}
