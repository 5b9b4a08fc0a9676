internal import CacheModel
internal import CacheStore

/// Entries in the order of their names, read shard by shard until there are enough.
struct NameListing {
  private let store: Store
  private let query: EntryQuery
  private let limit: List.Limit
  private let now: Instant

  init(_ store: Store, _ query: EntryQuery, _ limit: List.Limit, now: Instant) {
    self.store = store
    self.query = query
    self.limit = limit
    self.now = now
  }

  func run(
    after cursor: String?, _ session: Session, _ printer: EntryPrinter
  ) throws(Session.Failure) {
    var query = query
    query.details = [.object, .origin]
    if let cursor {
      guard let name = EntryName(cursor) else {
        throw Session.Failure(
          .usage, "--after \"\(printable(cursor))\": not a cursor of this listing")
      }
      query.after = name
    }
    let reader = try session.attempt { () throws(StoreError) in try EntryReader(store, now: now) }
    printer.begin()
    let next = page(reader, query, session, printer)
    printer.end(next: next)
  }

  /// Prints the page; returns the cursor where more follow.
  private func page(
    _ reader: EntryReader, _ query: EntryQuery, _ session: Session, _ printer: EntryPrinter
  ) -> String? {
    var left = limit == .all ? Int.max : 0
    if case .entries(let count) = limit { left = count }
    var last: EntryName?
    let first = query.after?.shard ?? Shard.all[0]
    for shard in Shard.all[Int(first.number)...] {
      if session.output.isClosed { return nil }
      // One more than fits tells that more follow.
      let asked = left == .max ? left : left + 1
      let entries = reader.entries(of: shard, matching: query, atMost: asked)
      printer.take(reader.census)
      for entry in entries {
        // A page of nothing goes on where it began.
        if left == 0 { return "\(last ?? query.after ?? EntryName(words: (0, 0, 0, 0)))" }
        printer.print(entry)
        last = entry.name
        if left != .max { left -= 1 }
      }
    }
    return nil
  }
}
