internal import CacheModel
internal import Synchronization

/// Collects candidates while a scan goes on, from several threads.
///
/// What has to go is known only when everything has been counted. But names are spread evenly, so
/// the first parts foretell the whole: the pool is cut down to what they make likely, with room to
/// spare. Where that was too little, another window follows; the result is the same.
final class Survey: Sendable {
  private let state: Mutex<State>
  private let budget: Budget
  private let room: FileSystemStatus
  private let now: Instant
  private let parts: Int
  private let horizon: Horizon

  /// Expects `parts` batches of the scan; 0 to keep whatever memory allows.
  init(
    _ budget: Budget, room: FileSystemStatus, _ request: ScanRequest, capacity: Int,
    foretellingFrom parts: Int
  ) {
    self.budget = budget
    self.room = room
    now = request.now
    horizon = request.horizon
    self.parts = parts
    var pool = CandidatePool(capacity: capacity)
    if parts == 0 { pool.wanted = capacity }
    state = Mutex(State(pool: pool))
  }

  private struct State {
    var pool: CandidatePool
    var usage = Usage()
    var seen = 0
  }

  func take(_ batch: ArraySlice<Candidate>, _ census: Census) {
    state.withLock { state in
      for candidate in batch { state.pool.offer(candidate) }
      state.usage = state.usage + census.usage
      state.seen += 1
      foretell(&state)
      if let first = state.pool.horizon, !first.isOversized { horizon.lower(to: first.lastUse) }
    }
  }

  /// A few parts are enough to tell; powers of two keep the cost small.
  private func foretell(_ state: inout State) {
    let seen = state.seen
    guard seen * 64 >= parts, seen < parts, seen.nonzeroBitCount == 1 else { return }
    var whole = state.usage
    whole.entries = whole.entries * Int64(parts) / Int64(seen)
    whole.bytes = whole.bytes * Int128(parts) / Int128(seen)
    whole.allocated = whole.allocated * Int128(parts) / Int128(seen)
    whole.cost = whole.cost * Int128(parts) / Int128(seen)
    let demand = Demand(budget, usage: whole, room: room, now: now).scaled(seen, of: parts)
    var likely = 0
    state.pool.update { candidates in
      likely = candidates.partition(demand).count
      return candidates.count
    }
    state.pool.wanted = likely * parts / seen * 5 / 4 + 4096
    // Twice as many: among the oldest recorded uses, the more have been used since the busier the
    // cache is. One too few costs a second scan.
    state.pool.tighten(to: 2 * likely + 4096)
  }

  /// Hands over the candidates, once the scan has ended, and keeps no copy.
  func takePool() -> CandidatePool {
    state.withLock { state in
      let pool = state.pool
      state.pool = CandidatePool(capacity: 0)
      return pool
    }
  }
}
