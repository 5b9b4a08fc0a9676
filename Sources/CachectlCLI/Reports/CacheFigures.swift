internal import CacheModel
internal import CacheStore
internal import Synchronization

/// What a cache amounts to, in numbers.
///
/// Memory does not grow with the cache.
struct CacheFigures: Sendable {
  var census = Census()
  var ages = Steps(upTo: ageSteps)
  var sizes = Steps(upTo: sizeSteps)
  var hosts = Tally()
  var types = Tally()
  var oldest: Instant?
  var newest: Instant?
  let now: Instant
  /// Whether every object was looked at: else last uses are the recorded ones, which can be earlier
  /// than the truth, and allocated bytes follow from lengths.
  let isExact: Bool

  /// Seconds: an hour, a day, a week, four weeks, half a year.
  static let ageSteps: [Int64] = [3600, 86_400, 604_800, 2_419_200, 15_724_800]
  /// Bytes: powers of eight from 1 KiB.
  static let sizeSteps: [Int64] = [1 << 10, 1 << 13, 1 << 16, 1 << 19, 1 << 22]

  /// Counts nothing yet.
  init(now: Instant, isExact: Bool) {
    self.now = now
    self.isExact = isExact
  }

  /// Counts a cache, by host and type as well where `labels` are wanted.
  init(
    of store: Store, now: Instant, isExact: Bool, labels: Bool
  ) throws(StoreError) {
    let whole = Mutex(CacheFigures(now: now, isExact: isExact))
    try store.forEachShard(now: now, depth: isExact ? .objects : .index) { reader, shard in
      var part = CacheFigures(now: now, isExact: isExact)
      let entries = reader.entries(of: shard, matching: EntryQuery())
      entries.forEach { part.add($0) }
      if labels { part.add(entries, reader.labels(of: shard)) }
      part.census = reader.census
      whole.withLock { [part] in $0.merge(part) }
      return .goOn
    }
    self = whole.withLock { $0 }
  }

  private mutating func add(_ entry: Entry) {
    let amount = Tally.Amount(entry)
    ages.add(max(0, now.since(entry.lastUse).wholeMilliseconds / 1000), amount)
    sizes.add(entry.bytes, amount)
    oldest = min(oldest ?? entry.lastUse, entry.lastUse)
    newest = max(newest ?? entry.lastUse, entry.lastUse)
  }

  private mutating func add(_ entries: [Entry], _ labels: ShardLabels) {
    for entry in entries {
      hosts.add(labels.host(of: entry.name) ?? "", Tally.Amount(entry))
      types.add(labels.type(of: entry.name) ?? "", Tally.Amount(entry))
    }
  }

  private mutating func merge(_ other: CacheFigures) {
    census.merge(other.census)
    ages.merge(other.ages)
    sizes.merge(other.sizes)
    hosts.merge(other.hosts)
    types.merge(other.types)
    oldest = [oldest, other.oldest].compactMap { $0 }.min()
    newest = [newest, other.newest].compactMap { $0 }.max()
  }
}

extension Tally.Amount {
  fileprivate init(_ entry: Entry) { self.init(entries: 1, bytes: ByteCount(max(0, entry.bytes))) }
}
