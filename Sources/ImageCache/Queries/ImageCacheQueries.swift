public import CacheModel
public import CacheStore

extension ImageCache {
  /// The entries that a query wants, without loading any.
  ///
  ///     for try await entry in cache.entries(sortedBy: EntryOrder(.bytes, isReversed: true), limit: 20) {
  ///       print(entry.name)
  ///     }
  ///
  /// Without an order they come in that of their names, the first at once whatever the cache's size. With
  /// one, all are ranked before the first comes.
  ///
  /// - Parameters:
  ///   - query: which are wanted.
  ///   - order: their order; nil: that of their names.
  ///   - limit: how many at most; nil: all.
  ///   - batchSize: how many are loaded together when one is.
  ///   - cursor: where another walk in this order ended: ``EntryFault/cursor``.
  /// - Returns: a sequence that reads the cache when it is walked over.
  public func entries(
    matching query: EntryQuery = EntryQuery(), sortedBy order: EntryOrder? = nil,
    limit: Int? = nil, batchSize: Int = 20, after cursor: String? = nil
  ) -> EntrySequence {
    EntrySequence(
      errands: tiers.errands,
      pager: EntryPager(
        store, query, order, limit: limit, batchSize: batchSize, after: cursor))
  }

  /// Everything that is known of the entry of a key; nil where there is none.
  ///
  /// Looking is no use.
  ///
  /// - Throws: `StoreError` where the cache cannot be read.
  public func entry(for key: CacheKey) throws(StoreError) -> Entry? {
    try store.entries([key.name], now: .now)[key.name]
  }

  /// Removes the entry of a key from memory and disk.
  ///
  /// - Returns: whether it was on disk.
  /// - Throws: `StoreError` when the kernel refuses; it is then still on disk.
  @discardableResult
  public func remove(_ key: CacheKey) throws(StoreError) -> Bool {
    defer { tiers.forget(key) }
    return try store.remove(key.name, now: .now)
  }
}
