public import CacheModel
internal import Glibc

extension Store {
  /// Brings a shard's records in line with its directory, so that its witness holds again.
  ///
  /// Records without an object are ended; after an interrupted replacement the record of the object
  /// that is there is appended again. Objects without a record stay as they are, and the shard goes
  /// on being listed.
  ///
  /// - Returns: whether the witness holds now.
  /// - Throws: ``StoreError`` where the shard cannot be read or changed.
  @discardableResult
  public func settle(_ shard: Shard, now: Instant) throws(StoreError) -> Bool {
    try StoreError.attempt("settle", Layout.manifests(shard)) { () throws(Errno) in
      var locked = try LockedShard(shard, of: self)
      // A right witness vouches for the names; a length may be wrong all the same.
      if locked.trust == .right { try locked.begin() }
      var settling = Settling(now: now)
      let isSettled = try settling.run(&locked)
      locked.settle(isSettled)
      try locked.finish()
      return isSettled
    }
  }
}

/// The settling of one shard.
private struct Settling {
  let now: Instant
  private var records = ShardRecords()
  private let reader = LineReader()
  private let json = JSONReader()
  private var lines = LineWriter()
  private var hasStrays = false
  private var hasMismatch = false

  init(now: Instant) { self.now = now }

  mutating func run(_ shard: inout LockedShard) throws(Errno) -> Bool {
    try records.load(shard.cost.file, reader: reader, json: json)
    try list(shard)
    for slot in records.slots where slot.isLive {
      if slot.isListed {
        try compare(slot, shard)
      } else {
        lines.removed(slot.record.name, at: now, why: "missing")
      }
    }
    try shard.appendCost(lines)
    return !hasStrays && !hasMismatch && records.damagedLines.isEmpty
  }

  private mutating func list(_ shard: borrowing LockedShard) throws(Errno) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    try buffer.withMutableBytes { (buffer) throws(Errno) in
      try shard.objects.forEachName(using: buffer) { (raw, _) throws(Errno) in
        guard let name = EntryName(hexDigits: raw), self.records.markListed(name) else {
          self.hasStrays = true
          return
        }
      }
    }
  }

  /// An object of another length than its record says is looked up among the earlier records.
  private mutating func compare(
    _ slot: ShardRecords.Slot, _ shard: borrowing LockedShard
  ) throws(Errno) {
    let status = try shard.objects.status(of: slot.record.name)
    guard status.kind == .regular, status.size != slot.record.bytes else {
      hasMismatch = hasMismatch || status.kind != .regular
      return
    }
    guard slot.hasPredecessor, let earlier = try earlierRecord(slot.record.name, shard) else {
      hasMismatch = true
      return
    }
    lines.cost(earlier)
  }

  /// The record, not the last, whose content the object is.
  private func earlierRecord(
    _ name: EntryName, _ shard: borrowing LockedShard
  ) throws(Errno) -> CostRecord? {
    let file = try shard.objects.open("\(name)", O_RDONLY | O_NONBLOCK)
    let hash = try file.contentHash(using: ContentHasher(), ContentHasher.chunk)
    var found: CostRecord?
    try reader.forEachLine(of: shard.cost.file) { line in
      guard case .stored(let record) = CostLine.read(line, with: self.json) else { return }
      if record.name == name, record.hash == hash { found = record }
    }
    return found
  }
}
