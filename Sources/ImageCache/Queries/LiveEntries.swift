internal import CacheModel
public import CacheStore

extension ImageCache {
  /// The entries that a query wants, again whenever any process has changed them.
  ///
  ///     for try await newest in try cache.liveEntries(sortedBy: EntryOrder(.stored, isReversed: true), limit: 20) {
  ///       show(newest)
  ///     }
  ///
  /// The first result is what is there now. Changes that come soon after one another make one result.
  ///
  /// - Parameters:
  ///   - query: which are wanted.
  ///   - order: their order; nil: that of their names.
  ///   - limit: how many; all of a result are in memory, as faults.
  /// - Returns: the results, each of them faults of one batch.
  /// - Throws: `StoreError` where the kernel has no room for the watches.
  public func liveEntries(
    matching query: EntryQuery = EntryQuery(), sortedBy order: EntryOrder? = nil, limit: Int
  ) throws(StoreError) -> LiveEntries {
    LiveEntries(
      changes: try changes(),
      entries: entries(matching: query, sortedBy: order, limit: limit, batchSize: max(1, limit)))
  }
}

/// Results of a query that follow what happens to the cache.
public struct LiveEntries: AsyncSequence, Sendable {
  let changes: CacheChanges
  let entries: EntrySequence

  /// Walks over results.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var changes: CacheChanges.Iterator
    fileprivate let entries: EntrySequence
    fileprivate var last: [EntryFault]?

    /// The next result; nil at the end.
    ///
    /// - Throws: `StoreError` where the cache cannot be read.
    public mutating func next() async throws -> [EntryFault]? {
      var changed: [CacheChange] = []
      while true {
        if last != nil {
          guard let batch = try await changes.next() else { return nil }
          changed += batch
        }
        let now = try await entries.reduce(into: []) { $0.append($1) }
        defer { last = now }
        guard let last, last.map(\.name) == now.map(\.name) else { return now }
        // The same entries, but one of them is not what it was.
        let names = Set(changed.compactMap(\.name))
        let shards = Set(changed.filter { $0.name == nil }.map(\.shard))
        if now.contains(where: { names.contains($0.name) || shards.contains($0.name.shard) }) {
          return now
        }
      }
    }
  }

  /// Begins the walk.
  public func makeAsyncIterator() -> Iterator {
    Iterator(changes: changes.makeAsyncIterator(), entries: entries)
  }
}
