internal import CacheModel
internal import CacheStore
internal import Synchronization

/// Entries in another order than that of their names: all are ranked, the first are kept.
struct SortedListing {
  private let store: Store
  private let query: EntryQuery
  private let order: ListOrder
  private let limit: List.Limit
  private let now: Instant

  /// Entries whose records are fetched together, once their order is known.
  private static let batch = 20_000

  init(
    _ store: Store, _ query: EntryQuery, _ order: ListOrder, _ limit: List.Limit, now: Instant
  ) {
    self.store = store
    self.query = query
    self.order = order
    self.limit = limit
    self.now = now
  }

  func run(
    after cursor: String?, _ session: Session, _ printer: EntryPrinter
  ) throws(Session.Failure) {
    let start = try start(cursor, session)
    printer.begin()
    var ranks = try session.attempt { () throws(StoreError) in
      try rank(behind: start, printer)
    }
    var next: String?
    if case .entries(let count) = limit, ranks.count > count {
      ranks.removeLast(ranks.count - count)
      next = (ranks.last ?? start).map(order.cursor)
    }
    for start in stride(from: 0, to: ranks.count, by: Self.batch) where !session.output.isClosed {
      let batch = ranks[start..<min(ranks.count, start + Self.batch)]
      try session.attempt { () throws(StoreError) in try print(batch, printer) }
    }
    printer.end(next: next)
  }

  private func start(
    _ cursor: String?, _ session: Session
  ) throws(Session.Failure) -> ListOrder.Rank? {
    guard let cursor else { return nil }
    let rank = try session.attempt { () throws(StoreError) in
      try order.rank(cursor: cursor, in: store)
    }
    guard let rank else {
      throw Session.Failure(
        .usage, "--after \"\(printable(cursor))\": not a cursor of this listing")
    }
    return rank
  }

  /// One rank more than the limit, so that it shows whether more follow.
  private func rank(
    behind start: ListOrder.Rank?, _ printer: EntryPrinter
  ) throws(StoreError) -> [ListOrder.Rank] {
    var most = Int.max
    if case .entries(let count) = limit, count < .max { most = count + 1 }
    let found = Mutex((first: FirstRanks(order, most: most), census: Census()))
    var query = query
    query.details.formUnion(order.details)
    try store.forEachShard(now: now) { [query] reader, shard in
      let query = narrowed(query, found.withLock { $0.first.last })
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
      printer.take(found.census)
      found.first.settle()
      return found.first.ranks
    }
  }

  /// An object whose recorded use is later than what is kept already need not be looked at: its true
  /// last use is later still.
  private func narrowed(_ query: EntryQuery, _ last: ListOrder.Rank?) -> EntryQuery {
    guard order.key == .used, !order.isReversed, let last else { return query }
    var query = query
    let behind = Instant(milliseconds: last.number).after(by: .milliseconds(1))
    query.usedBefore = min(query.usedBefore ?? behind, behind)
    return query
  }

  private func print(
    _ ranks: ArraySlice<ListOrder.Rank>, _ printer: EntryPrinter
  ) throws(StoreError) {
    let reader = try EntryReader(store, now: now)
    var query = EntryQuery()
    query.details = [.object, .origin]
    var entries: [EntryName: Entry] = [:]
    for (shard, names) in Dictionary(grouping: ranks.map(\.name), by: \.shard) {
      query.names = Set(names)
      for entry in reader.entries(of: shard, matching: query) { entries[entry.name] = entry }
    }
    // What has gone since is left out.
    for rank in ranks { entries[rank.name].map(printer.print) }
  }
}
