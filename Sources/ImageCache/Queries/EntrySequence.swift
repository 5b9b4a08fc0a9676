public import CacheStore

/// The entries of a cache that a query wants, found while they are walked over.
///
/// Each walk begins anew and sees the cache as it is then. It takes the memory of a batch, and of one of
/// the cache's 256 shards or of some thousand ranks.
public struct EntrySequence: AsyncSequence, Sendable {
  let errands: Errands
  let pager: EntryPager

  /// A walk.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let errands: Errands
    fileprivate var pager: EntryPager
    fileprivate var batch: ArraySlice<EntryFault> = []

    /// The next entry; nil at the end.
    ///
    /// - Throws: `StoreError` where the cache cannot be read, or the cursor was none of this order.
    public mutating func next() async throws(StoreError) -> EntryFault? {
      if batch.isEmpty {
        let found = await errands.result { [pager] in
          var pager = pager
          return Result { () throws(StoreError) in (try pager.next(), pager) }
        }
        let page = try found.get()
        batch = page.0[...]
        pager = page.1
      }
      return batch.popFirst()
    }
  }

  /// Begins a walk.
  public func makeAsyncIterator() -> Iterator { Iterator(errands: errands, pager: pager) }
}

extension Errands {
  /// Does something that waits for the disk while the task's thread does something else.
  func result<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { waiter in run { waiter.resume(returning: body()) } }
  }
}
