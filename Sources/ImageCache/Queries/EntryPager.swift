internal import CacheModel
internal import CacheStore

/// Finds entries in their order, a batch at a time.
struct EntryPager: Sendable {
  private let store: Store
  private let query: EntryQuery
  private let order: EntryOrder?
  private let batchSize: Int
  private var left: Int
  private var cursor: String?
  /// Entries found and not yet handed out: those of one shard, or a window of ranks.
  private var found: ArraySlice<(name: EntryName, cursor: String)> = []
  private var isStarted = false
  private var nextShard = 0
  private var start: EntryOrder.Rank?
  private var startName: EntryName?
  private var isDone = false

  /// Ranks kept at once: some megabytes; each window ranks the whole cache once more.
  private static let window = 16_384

  init(
    _ store: Store, _ query: EntryQuery, _ order: EntryOrder?, limit: Int?, batchSize: Int,
    after cursor: String?
  ) {
    self.store = store
    self.query = query
    self.order = order
    self.batchSize = max(1, batchSize)
    left = limit ?? .max
    self.cursor = cursor
  }

  /// The next batch; empty at the end.
  mutating func next() throws(StoreError) -> [EntryFault] {
    if !isStarted { try begin() }
    while found.count < min(batchSize, left), !isDone { try find() }
    let taken = found.prefix(min(batchSize, left))
    found = found.dropFirst(taken.count)
    if left != .max { left -= taken.count }
    let batch = FaultBatch(taken.map(\.name), of: store)
    return taken.map { EntryFault($0.name, $0.cursor, batch) }
  }

  private mutating func begin() throws(StoreError) {
    isStarted = true
    guard let cursor else { return }
    if let order {
      start = try order.rank(cursor: cursor, in: store)
    } else if let name = EntryName(cursor) {
      startName = name
      nextShard = Int(name.shard.number)
      return
    }
    if start == nil {
      throw StoreError("go on behind", cursor, .unacceptable("it is no cursor of this order"))
    }
  }

  private mutating func find() throws(StoreError) {
    if let order { try rank(order) } else { try readShard() }
  }

  private mutating func readShard() throws(StoreError) {
    guard nextShard < Shard.all.count else {
      isDone = true
      return
    }
    var query = query
    if let startName { query.after = max(startName, query.after ?? startName) }
    let reader = try EntryReader(store, now: .now)
    let entries = reader.entries(of: Shard.all[nextShard], matching: query)
    found += entries.map { ($0.name, "\($0.name)") }
    nextShard += 1
  }

  private mutating func rank(_ order: EntryOrder) throws(StoreError) {
    let most = min(left, max(Self.window, batchSize))
    let ranks = try store.ranks(
      of: query, in: order, behind: start, atMost: most, now: .now
    ).ranks
    isDone = ranks.count < most
    start = ranks.last ?? start
    found += ranks.map { ($0.name, order.cursor($0)) }
  }
}
