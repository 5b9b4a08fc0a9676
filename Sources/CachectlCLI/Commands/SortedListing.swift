internal import CacheModel
internal import CacheStore

/// Entries in another order than that of their names: all are ranked, the first are kept.
struct SortedListing {
  private let store: Store
  private let query: EntryQuery
  private let order: EntryOrder
  private let limit: List.Limit
  private let now: Instant

  /// Entries whose records are fetched together, once their order is known.
  private static let batch = 20_000

  init(
    _ store: Store, _ query: EntryQuery, _ order: EntryOrder, _ limit: List.Limit, now: Instant
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
  ) throws(Session.Failure) -> EntryOrder.Rank? {
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
    behind start: EntryOrder.Rank?, _ printer: EntryPrinter
  ) throws(StoreError) -> [EntryOrder.Rank] {
    var most: Int?
    if case .entries(let count) = limit, count < .max { most = count + 1 }
    let found = try store.ranks(of: query, in: order, behind: start, atMost: most, now: now)
    printer.take(found.census)
    return found.ranks
  }

  private func print(
    _ ranks: ArraySlice<EntryOrder.Rank>, _ printer: EntryPrinter
  ) throws(StoreError) {
    let entries = try store.entries(ranks.map(\.name), now: now)
    // What has gone since is left out.
    for rank in ranks { entries[rank.name].map(printer.print) }
  }
}
