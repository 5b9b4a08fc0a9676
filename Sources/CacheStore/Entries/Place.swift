public import CacheModel
internal import Synchronization

/// Where an entry stands in the order of eviction.
public struct Place: Sendable, Equatable {
  /// How many entries would be evicted before it.
  public var before: Int64
  /// How many entries there are.
  public var entries: Int64
  /// Whether the two were counted, rather than estimated from one shard.
  public var isExact: Bool
}

extension Store {
  /// How many objects of a shard are looked at for an estimate: some milliseconds' worth.
  private static let sample = 512
  /// A cache whose shards are this small is counted: an estimate would be no cheaper, and poor.
  private static let smallShard = 64

  /// Where an entry stands in the order of eviction, estimated from its own shard: names are
  /// digests, so that each shard is a fair sample of the cache.
  ///
  /// A small cache is counted.
  ///
  /// - Throws: ``StoreError`` where the file system cannot be asked for its state.
  public func estimatedPlace(
    of name: EntryName, lastUse: Instant, now: Instant
  ) throws(StoreError) -> Place {
    let reader = try EntryReader(self, now: now)
    let all = reader.candidates(of: name.shard)
    if all.count <= Self.smallShard { return try place(of: name, lastUse: lastUse, now: now) }
    // A bound that is not earlier is the bound of a later use; an earlier one may be.
    let earlier = all.filter { ($0.lastUse, $0.name) < (lastUse, name) }
    let sample = stride(
      from: 0, to: earlier.count, by: max(1, earlier.count / Self.sample)
    ).map { earlier[$0] }
    let looked = Int64(sample.count)
    let before = Int64(
      reader.looked(at: sample, of: name.shard).count { ($0.lastUse, $0.name) < (lastUse, name) })
    let inShard = looked == 0 ? 0 : Int64(earlier.count) * before / looked
    let shards = Int64(Shard.all.count)
    return Place(before: inShard * shards, entries: Int64(all.count) * shards, isExact: false)
  }

  /// Where an entry stands in the order of eviction, counted.
  ///
  /// - Throws: ``StoreError`` where the file system cannot be asked for its state.
  public func place(
    of name: EntryName, lastUse: Instant, now: Instant
  ) throws(StoreError) -> Place {
    let counts = Mutex((before: Int64(0), entries: Int64(0)))
    try forEachShard(now: now) { reader, shard in
      var earlier = EntryQuery()
      earlier.usedBefore = lastUse.after(by: .milliseconds(1))
      let before = reader.entries(of: shard, matching: earlier)
        .count { ($0.lastUse, $0.name) < (lastUse, name) }
      let entries = reader.census.usage.entries
      counts.withLock {
        $0.before += Int64(before)
        $0.entries += entries
      }
      return .goOn
    }
    let (before, entries) = counts.withLock { $0 }
    return Place(before: before, entries: entries, isExact: true)
  }
}
