public import CacheModel
internal import Synchronization

extension Store {
  /// The first entries of an order: all are ranked, the first are kept.
  ///
  /// Reads every shard, on as many threads as there are processors; takes the memory of twice as many
  /// ranks as are kept.
  ///
  /// - Parameters:
  ///   - query: which entries are wanted.
  ///   - order: their order.
  ///   - start: the rank behind which the first stands; nil: the very first.
  ///   - most: how many are wanted; nil: all.
  ///   - now: what times in the future are held to.
  /// - Returns: the ranks in their order, and what the shards came to.
  /// - Throws: ``StoreError`` where the file system cannot be asked for its state.
  public func ranks(
    of query: EntryQuery, in order: EntryOrder, behind start: EntryOrder.Rank? = nil,
    atMost most: Int? = nil, now: Instant
  ) throws(StoreError) -> (ranks: [EntryOrder.Rank], census: Census) {
    let found = Mutex((first: FirstRanks(order, most: most ?? .max), census: Census()))
    var query = query
    query.details.formUnion(order.details)
    try forEachShard(now: now) { [query] reader, shard in
      let query = order.narrowed(query, found.withLock { $0.first.last })
      let entries = reader.entries(of: shard, matching: query)
      found.withLock { found in
        found.census.merge(reader.census)
        for rank in entries.map(order.rank) where start.map({ order.isBefore($0, rank) }) ?? true {
          found.first.offer(rank)
        }
      }
      return .goOn
    }
    return found.withLock { found in
      found.first.settle()
      return (found.first.ranks, found.census)
    }
  }

  /// What is known of entries by their names; what has gone is left out.
  ///
  /// - Parameters:
  ///   - names: the entries, in any order.
  ///   - details: what to find out beyond the records of cost.jsonl.
  ///   - now: what times in the future are held to.
  /// - Returns: the entries that are there.
  /// - Throws: ``StoreError`` where the file system cannot be asked for its state.
  public func entries(
    _ names: some Sequence<EntryName>, details: EntryQuery.Details = [.object, .origin],
    now: Instant
  ) throws(StoreError) -> [EntryName: Entry] {
    let reader = try EntryReader(self, now: now)
    var query = EntryQuery()
    query.details = details
    var entries: [EntryName: Entry] = [:]
    for (shard, names) in Dictionary(grouping: names, by: \.shard) {
      query.names = Set(names)
      for entry in reader.entries(of: shard, matching: query) { entries[entry.name] = entry }
    }
    return entries
  }
}

extension EntryOrder {
  /// An object whose recorded use is later than what is kept already need not be looked at: its true
  /// last use is later still.
  fileprivate func narrowed(_ query: EntryQuery, _ last: Rank?) -> EntryQuery {
    guard key == .used, !isReversed, let last else { return query }
    var query = query
    let behind = Instant(milliseconds: last.number).after(by: .milliseconds(1))
    query.usedBefore = min(query.usedBefore ?? behind, behind)
    return query
  }
}

/// The first ranks of all that are offered; memory is that of twice as many as are kept.
private struct FirstRanks {
  private let order: EntryOrder
  private let most: Int
  private(set) var ranks: [EntryOrder.Rank] = []
  /// Where enough are kept: the last of them, behind which none is wanted.
  private(set) var last: EntryOrder.Rank?

  init(_ order: EntryOrder, most: Int) {
    self.order = order
    self.most = most
  }

  mutating func offer(_ rank: EntryOrder.Rank) {
    if let last, !order.isBefore(rank, last) { return }
    ranks.append(rank)
    if ranks.count >= most.addingReportingOverflow(max(most, 64)).partialValue, most < .max {
      settle()
    }
  }

  /// Puts what is kept in order.
  mutating func settle() {
    ranks.sort(by: order.isBefore)
    guard ranks.count >= most else { return }
    ranks.removeLast(ranks.count - most)
    last = ranks.last
  }
}
