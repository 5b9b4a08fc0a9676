internal import CacheModel

/// Which parts of the cache a run checks, and in which order.
///
/// Pure.
struct VerifyPlan {
  /// Parts are joined until they hold this many entries: every order reads its shard's manifest.
  private static let leastEntries: Int64 = 512

  let orders: [SliceOrder]
  /// What the orders hold, as far as it was counted.
  var asked = Coverage()
  /// Whether parts of the cache are left out.
  var isPartial = false

  /// Every shard, in order.
  static let everything = VerifyPlan(
    orders: Shard.all.enumerated().map { SliceOrder(index: $0, shard: $1) })

  private init(orders: [SliceOrder]) { self.orders = orders }

  /// The entries that failed, and the shards that failed as a whole.
  init(failed: [FailureLog.Line]) {
    let byShard = Dictionary(grouping: failed, by: \.name.shard)
    orders = byShard.keys.sorted().enumerated().map { index, shard in
      let lines = byShard[shard] ?? []
      let isWhole = lines.contains(where: \.isWholeShard)
      return SliceOrder(
        index: index, shard: shard,
        filter: isWhole ? .units(.all) : .names(Set(lines.map(\.name))), ownsShard: isWhole)
    }
    isPartial = true
  }

  /// Parts, least recently verified first, up to the limits.
  init(_ census: UnitCensus, _ times: VerifiedTimes, _ limits: VerifyLimits) {
    var taken: [Group] = []
    var asked = Coverage()
    var covered = census.whole
    let whole = covered
    for group in Self.groups(census, times) {
      if Self.isReached(limits, asked, group, covered, whole) { break }
      taken.append(group)
      asked.merge(group.content)
      covered.coveredBytes += group.content.bytes - group.content.coveredBytes
      covered.coveredEntries += group.content.entries - group.content.coveredEntries
    }
    var owners: Set<Shard> = []
    orders = taken.enumerated().map { index, group in
      SliceOrder(
        index: index, shard: group.shard, filter: .units(group.mask),
        ownsShard: owners.insert(group.shard).inserted)
    }
    self.asked = asked
    isPartial = asked.entries < whole.entries
  }

  private static func isReached(
    _ limits: VerifyLimits, _ asked: Coverage, _ next: Group, _ covered: Coverage,
    _ whole: Coverage
  ) -> Bool {
    if let share = limits.share {
      if Int128(asked.entries) * 1_000_000 >= Int128(whole.entries) * Int128(share) { return true }
    }
    if let bytes = limits.bytes, asked.entries > 0, asked.bytes + next.content.bytes > bytes {
      return true
    }
    // A promise alone asks for what it takes to keep it.
    let isBounded = limits.share != nil || limits.bytes != nil || limits.duration != nil
    if let promise = limits.promise, !isBounded { return covered.share >= promise.share }
    return false
  }

  /// Parts of one shard that were last verified at the same time.
  private struct Group {
    let shard: Shard
    let time: Int64
    var mask = UnitMask()
    var content = Coverage()
  }

  private static func groups(_ census: UnitCensus, _ times: VerifiedTimes) -> [Group] {
    var groups: [Group] = []
    for shard in Shard.all {
      let order = (0..<UnitMask.count).sorted {
        (times[shard, $0], $0) < (times[shard, $1], $1)
      }
      for unit in order {
        let time = times[shard, unit]
        let isNew =
          groups.last.map {
            $0.shard != shard || $0.time != time || $0.content.entries >= leastEntries
          } ?? true
        if isNew { groups.append(Group(shard: shard, time: time)) }
        groups[groups.count - 1].mask.insert(unit)
        groups[groups.count - 1].content.merge(census[shard, unit])
      }
    }
    // Swift's sort is stable: equal times stay in the order of shards.
    return groups.sorted { $0.time < $1.time }
  }
}
