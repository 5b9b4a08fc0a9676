internal import CLinux
internal import CacheModel
internal import Glibc
internal import Synchronization

/// One run of checking: threads that load slices and check objects until all is done.
final class VerifyRun: Sendable {
  private let store: Store
  private let request: VerifyRequest
  private let pool: Monitor<VerifyPool>
  private let threadCount: Int
  /// Threads at work where nothing has to be waited for.
  private let shallow: Int
  private let loaders = Mutex<[LoaderBox]>([])
  private let outlet: Mutex<Outlet>
  private let depth = Depth()
  private let isDeep = Atomic<Bool>(false)

  /// Findings leave one batch at a time, and the numbers with them.
  private struct Outlet {
    let found: @Sendable ([Finding]) -> Void
    var tally = VerifyTally()
  }

  /// A loader, which one thread at a time uses.
  private struct LoaderBox: @unchecked Sendable { let loader: SliceLoader }

  init(_ store: Store, _ request: VerifyRequest, found: @escaping @Sendable ([Finding]) -> Void) {
    self.store = store
    self.request = request
    outlet = Mutex(Outlet(found: found))
    let orders = Shard.all.enumerated().map { SliceOrder(index: $0, shard: $1) }
    let most = Readers.most(asked: request.jobs)
    threadCount = most
    shallow = request.jobs ?? min(processorCount, most)
    pool = Monitor(
      VerifyPool(
        orders, threads: shallow, mostThreads: most,
        weigh: { order in
          // Only a weight: what cannot be looked at weighs nothing.
          let path = Layout.cost(order.shard)
          return (try? store.root.status(at: path).size) ?? 0
        }))
  }

  func run() -> VerifyTally {
    onThreads(threadCount) { [self] thread in work(as: thread) }
    return outlet.withLock { $0.tally }
  }

  private func work(as thread: Int) {
    let reader = ObjectReader()
    while true {
      switch pool.wait({ $0.nextTask(for: thread) }) {
      case .end: return pool.change { _ in }
      case .load(let order): load(order, reader)
      case .check(let slice): check(slice, as: thread, reader)
      }
    }
  }

  private func load(_ order: SliceOrder, _ reader: borrowing ObjectReader) {
    let box = loaders.withLock { $0.popLast() } ?? LoaderBox(loader: SliceLoader(store))
    let loaded = box.loader.load(order)
    loaders.withLock { $0.append(box) }
    switch loaded {
    case .success(let slice):
      pool.change { $0.loaded(order, slice) }
      if slice.isChecked { finish(slice, reader) }
    case .failure(let failure):
      pool.change { $0.loaded(order, nil) }
      emit(order, failure.result)
    }
  }

  /// Checks runs of entries for as long as the slice has any.
  private func check(
    _ slice: VerifySlice, as thread: Int, _ reader: borrowing ObjectReader
  ) {
    var waits = cachectl_thread_waits()
    while !request.shouldStop(), isWanted(thread), let items = slice.take() {
      var result = SliceResult()
      for item in items { check(item, in: slice, reader, &result) }
      request.progress(result.tally.entries, result.tally.bytes)
      let waited = cachectl_thread_waits()
      adapt(depth.note(items.count, waited: waited - waits))
      waits = waited
      if slice.give(items.count, result) { finish(slice, reader) }
    }
    if request.shouldStop() { pool.change { $0.isStopped = true } }
  }

  private func isWanted(_ thread: Int) -> Bool {
    thread < shallow || isDeep.load(ordering: .relaxed)
  }

  private func adapt(_ advice: Depth.Advice) {
    guard request.jobs == nil else { return }
    switch advice {
    case .asBefore: break
    case .deeper: if !isDeep.exchange(true, ordering: .relaxed) { pool.change { $0.deepen() } }
    case .shallower: if isDeep.exchange(false, ordering: .relaxed) { pool.change { $0.flatten() } }
    }
  }

  @inline(__always)
  private func check(
    _ item: VerifySlice.Item, in slice: VerifySlice, _ reader: borrowing ObjectReader,
    _ result: inout SliceResult
  ) {
    if !reader.holds(item, in: slice.directory) {
      let look = reader.look(at: item.name, in: slice.directory, onlyIfOf: item.bytes)
      guard case .content(let identity, let hash?) = look, identity.size == item.bytes,
        item.hash == nil || item.hash == hash
      else { return result.suspects.append(.init(name: item.name, look: look)) }
      if item.hash == nil { result.tally.unhashed += 1 }
    }
    result.tally.entries += 1
    result.tally.bytes += item.bytes
    result.tally.sound += 1
  }

  private func finish(_ slice: VerifySlice, _ reader: borrowing ObjectReader) {
    let result = slice.takeResult()
    let needsLook = !result.suspects.isEmpty || result.hasBadLines
    guard needsLook else { return emit(slice.order, result) }
    var look = SecondLook(slice.order.shard, of: store, result)
    emit(slice.order, look.judge(with: reader))
  }

  /// Gives out what is due, with the keys of the entries.
  private func emit(_ order: SliceOrder, _ result: SliceResult) {
    outlet.withLock { outlet in
      for due in pool.change({ $0.finish(order, result) }) {
        outlet.tally.merge(due.tally)
        if !due.findings.isEmpty { outlet.found(due.findings) }
      }
    }
  }
}

/// How many threads read.
enum Readers {
  /// A disk's queue: with 32 requests under way, flash memory and arrays are near their best.
  private static let deepest = 32

  /// As many as asked for, or a disk's queue; fewer where the process may open few files.
  static func most(asked: Int?) -> Int {
    var limit = rlimit()
    // Descriptors for the root, standard streams, and the directories and manifests at work.
    let reserved: UInt = 40
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let room = Int(clamping: limit.rlim_cur > reserved ? limit.rlim_cur - reserved : 1)
    return max(1, min(asked ?? max(deepest, processorCount), room))
  }
}
