internal import CacheModel
internal import CachePlan
internal import CacheStore
internal import Synchronization

/// Keeps what is stored near the cache's own policy between two runs of gc.
///
/// It counts what this process stores, and looks at the whole from time to time, on a thread of its own;
/// what is too much is evicted as gc would, under gc's lock. Only who stores so fast that a look is
/// overtaken by several steps waits for its end.
final class BudgetKeeper: Sendable {
  private struct State {
    var stored = Usage()
    /// What may be stored before the next look.
    var step = Step()
    var counter: UsageCounter?
    var isLooking = false
  }

  private let store: Store
  private let errands: Errands
  private let state: Mutex<State>
  /// Held while a look goes on.
  private let look = Mutex(())

  /// Steps that may be taken while a look goes on: with the one before it less than what was left.
  private static let lead = 2

  /// What a run goes down to at most, in hundredths of a limit: one that frees a single entry's room
  /// would have to run again for the next.
  static let target = 95

  init(_ store: Store, _ errands: Errands) {
    self.store = store
    self.errands = errands
    var step = Step(store.configuration.budget, Usage())
    // Of many processes that store little each, one in so many takes the first look.
    step.shorten(by: .random(in: 0...1))
    state = Mutex(State(step: step))
  }

  /// Counts an image that was stored.
  func count(_ record: CostRecord) {
    let pace = state.withLock { state -> Pace in
      state.stored.add(
        Candidate(
          name: record.name, lastUse: record.used, bytes: record.bytes, allocated: record.bytes,
          cost: record.cost))
      if state.isLooking {
        return state.step.isTaken(by: state.stored, times: Self.lead) ? .tooFast : .steady
      }
      guard state.step.isTaken(by: state.stored) else { return .steady }
      state.isLooking = true
      state.stored = Usage()
      return .lookDue
    }
    switch pace {
    case .steady: break
    case .lookDue: errands.run { self.lookAround() }
    // Waits for the look, or does it where no thread has got to it yet.
    case .tooFast: lookAround()
    }
  }

  private enum Pace { case steady, lookDue, tooFast }

  private func lookAround() {
    look.withLock { _ in
      guard state.withLock(\.isLooking) else { return }
      let budget = budget
      let counter = state.withLock(\.counter)
      // Whatever keeps it from being counted or evicted now is met again at the next look, and by gc.
      let now = budget.hasLimit ? try? survey(budget, counter) : nil
      state.withLock { state in
        state.counter = now
        if let now { state.step = Step(budget, now.usage) }
        state.isLooking = false
      }
    }
  }

  /// The policy as it is now.
  ///
  /// Old age makes no cache grow: that is left to gc.
  private var budget: Budget {
    let current = try? Store(at: store.path, for: .reading).configuration
    var budget = (current ?? store.configuration).budget
    budget.maxAge = nil
    return budget
  }

  private func survey(
    _ budget: Budget, _ counter: UsageCounter?
  ) throws(StoreError) -> UsageCounter {
    let now = Instant.now
    let request = ScanRequest(now: now, depth: budget.measure == .disk ? .objects : .index)
    let current: UsageCounter
    if let counter, let updated = counter.updated(from: store) {
      current = updated
    } else {
      current = try UsageCounter(scanning: store, request)
    }
    let room = try store.fileSystem()
    if Demand(budget, usage: current.usage, room: room, now: now).isMet { return current }
    try evict(budget, room, request)
    return try UsageCounter(scanning: store, request)
  }

  private func evict(
    _ budget: Budget, _ room: FileSystemStatus, _ request: ScanRequest
  ) throws(StoreError) {
    // Another run is at it already.
    let lock = try RunLock(
      .gc, of: store, waiting: .zero, command: "a program that stores images")
    var budget = budget
    budget.target = min(budget.target, Self.target)
    let result = try Eviction(of: store, to: budget, room: room, request).run { victims, cutoffs in
      store.evict(victims, EvictionOrders(now: request.now, why: cutoffs.limit))
    }
    for shard in result.census.unsettled { try store.settle(shard, now: request.now) }
    _ = store.compact(result.census.bloated, learningUses: false, unless: { false })
    _ = consume lock
  }
}
