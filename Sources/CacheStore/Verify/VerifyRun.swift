internal import CLinux
internal import CacheModel
internal import Glibc
internal import Synchronization

/// One run of checking: threads that load slices and check objects until all is done.
final class VerifyRun: Sendable {
  private let store: Store
  private let request: VerifyRequest
  private let pool: Monitor<VerifyPool>
  /// Whether the run is over: what threads wait for that a disk alone would keep busy.
  ///
  /// They are many, and woken by every change of the pool they would take more time than the checking.
  private let gate = Monitor(false)
  private let loaders = Mutex<[LoaderBox]>([])
  private let outlet: VerifyOutlet
  private let depth: Depth
  private let rate: ByteRate?
  private let decoders: DecoderPool?

  /// A loader, which one thread at a time uses.
  private struct LoaderBox: @unchecked Sendable { let loader: SliceLoader }

  init(
    _ store: Store, _ request: VerifyRequest, _ plan: VerifyPlan, _ keeper: ResultKeeper?,
    found: @escaping @Sendable ([Finding]) -> Void
  ) {
    self.store = store
    self.request = request
    outlet = VerifyOutlet(store, request, keeper, found: found)
    depth = Depth(asked: request.jobs)
    rate = request.rate.map { ByteRate($0, shouldStop: request.shouldStop) }
    decoders = DecoderPool(request.images)
    pool = Monitor(
      VerifyPool(
        plan.orders, deadline: request.deadline,
        weigh: { (try? store.root.status(at: Layout.cost($0.shard)).size) ?? 0 }))
  }

  /// Checks everything, and adds what came of it.
  func run(_ result: inout VerifyResult) {
    onThreads(depth.most) { [self] thread in work(as: thread) }
    // Stopped in the middle of slices: what was found in them is not lost.
    let reader = reader()
    for slice in pool.change({ $0.takeUnfinished() }) where slice.isBegun {
      outlet.emit(slice.order, slice.takeResult(), nil, reader)
    }
    outlet.finish(&result)
    result.reachedEnd = pool.change { $0.isDone }
  }

  private func reader() -> ObjectReader {
    ObjectReader(request, rate: rate, decoder: decoders)
  }

  private func work(as thread: Int) {
    if !isWanted(thread) { return }
    let reader = reader()
    while isWanted(thread) {
      switch pool.wait({ $0.nextTask(for: thread, of: depth) }) {
      case .end:
        gate.change { $0 = true }
        return pool.change { _ in }
      case .load(let order): load(order, reader)
      case .check(let slice): check(slice, as: thread, reader)
      }
    }
  }

  /// Waits until a thread is wanted; false where the run is over before.
  private func isWanted(_ thread: Int) -> Bool {
    if depth.wants(thread) { return true }
    return gate.wait { isOver in isOver ? false : depth.wants(thread) ? true : nil }
  }

  private func load(_ order: SliceOrder, _ reader: borrowing ObjectReader) {
    let box =
      loaders.withLock { $0.popLast() }
      ?? LoaderBox(loader: SliceLoader(store, wantsTypes: request.images.isAny))
    let loaded = box.loader.load(order)
    loaders.withLock { $0.append(box) }
    switch loaded {
    case .success(let slice):
      pool.change { $0.loaded(order, slice) }
      // Whoever gives back the last entry finishes a slice; of an empty one nobody does.
      if slice.isEmpty { finish(slice, reader) }
    case .failure(let failure):
      pool.change { $0.loaded(order, nil) }
      outlet.emit(failure: order, failure.result, failure.start)
      pool.change { $0.finish(order) }
    }
  }

  /// Checks runs of entries for as long as the slice has any.
  private func check(
    _ slice: VerifySlice, as thread: Int, _ reader: borrowing ObjectReader
  ) {
    var waits = cachectl_thread_waits()
    while depth.wants(thread), !request.shouldStop(), let items = slice.take() {
      var result = SliceResult()
      for item in items { reader.check(item, in: slice.directory, &result) }
      request.progress(result.tally.entries, result.tally.bytes)
      let waited = cachectl_thread_waits()
      if depth.note(items.count, waited: waited - waits) {
        gate.change { _ in }
        pool.change { _ in }
      }
      waits = waited
      if slice.give(items.count, result) { finish(slice, reader) }
    }
    if request.shouldStop() { pool.change { $0.isStopped = true } }
  }

  private func finish(_ slice: VerifySlice, _ reader: borrowing ObjectReader) {
    outlet.emit(slice.order, slice.takeResult(), slice.start, reader)
    pool.change { $0.finish(slice.order) }
  }
}

extension VerifyRequest {
  /// When nothing more is to be begun.
  fileprivate var deadline: ContinuousClock.Instant? {
    guard case .part(let limits) = scope, let duration = limits.duration else { return nil }
    return ContinuousClock.now + duration
  }
}
