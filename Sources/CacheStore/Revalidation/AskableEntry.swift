public import CacheModel

/// An entry that its origin can be asked about, as its records were when they were read.
public struct AskableEntry: Sendable {
  /// Its record in etag.jsonl.
  public let origin: OriginRecord
  /// Its record in cost.jsonl.
  public let cost: CostRecord
  /// Whether the validators of ``origin`` speak of the object on disk.
  ///
  /// Where they do not, a 304 would confirm another image, so it must be asked for without a
  /// condition.
  public let isValidated: Bool
  /// The state of the manifest that ``cost`` was read from.
  let stamp: ManifestStamp

  /// The entry.
  public var name: EntryName { cost.name }
}

/// Tells whether a manifest is what it was: nobody appended to it or rewrote it.
struct ManifestStamp: Sendable, Equatable {
  var inode: UInt64
  var length: Int64
}

/// Compares entries with their shard as it is under its lock.
struct Standing {
  private var records = ShardRecords()
  private var isLoaded = false
  private var stamp: ManifestStamp?
  // One for all shards: its buffer is half a mebibyte, which the heap would not get back in one piece.
  private var reader: LineReader?

  init() {}

  /// Turns to another shard.
  mutating func begin() {
    isLoaded = false
    stamp = nil
  }

  /// Whether an entry is what it was when it was read, whatever its last use.
  mutating func holds(
    _ entry: AskableEntry, in shard: borrowing LockedShard
  ) throws(StoreError) -> Bool {
    // Its lock keeps it as it is.
    if stamp == nil { stamp = try shard.stamp() }
    if stamp == entry.stamp { return true }
    if !isLoaded { try load(shard) }
    guard let record = records.record(of: entry.name) else { return false }
    return record.hash == entry.cost.hash && record.bytes == entry.cost.bytes
      && record.stored == entry.cost.stored
  }

  private mutating func load(_ shard: borrowing LockedShard) throws(StoreError) {
    let reader = reader ?? LineReader()
    self.reader = reader
    try shard.load(&records, reader: reader)
    isLoaded = true
  }
}
