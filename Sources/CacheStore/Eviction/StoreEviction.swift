public import CacheModel
internal import Glibc
internal import Synchronization

extension Store {
  /// Removes victims, a shard's at a time under its lock, each looked at again first: what was used
  /// or replaced since the plan stays.
  ///
  /// Needs no free byte. Few threads, each at one shard until it is done with its run: a journal that
  /// more threads fill with the blocks of more directories is no faster.
  ///
  /// - Parameters:
  ///   - victims: the entries, in any order; they are moved.
  ///   - orders: how it is done.
  /// - Returns: what was done.
  public func evict(
    _ victims: UnsafeMutableBufferPointer<Candidate>, _ orders: EvictionOrders
  ) -> EvictionOutcome {
    // A lock must not be held while waiting for the next removal to be due.
    let most = orders.rate.map { max(1, Int(clamping: $0 / 10)) } ?? .max
    let work = CandidateRuns(forRemoving: victims, most: most)
    let pace = orders.rate.map { Pace(perSecond: $0) }
    let log = EvictionLog(of: self)
    let whole = Mutex(EvictionOutcome())
    let threads = min(max(2, processorCount), work.count)
    onThreads(threads) { [self] _ in
      // Not where the one thread is the caller's.
      if threads > 1 { stepBack() }
      while !orders.shouldStop(), let run = work.take() {
        pace?.wait(for: run.count, unless: orders.shouldStop)
        let outcome = evict(oneShards: run, orders, log)
        whole.withLock { $0.merge(outcome) }
      }
    }
    var outcome = whole.withLock { $0 }
    outcome.wasStopped = orders.shouldStop()
    return outcome
  }

  private func evict(
    oneShards victims: UnsafeMutableBufferPointer<Candidate>, _ orders: EvictionOrders,
    _ log: EvictionLog
  ) -> EvictionOutcome {
    do {
      let locked = try LockedShard(victims[0].name.shard, of: self, watched: .always)
      var removal = ShardRemoval(locked, orders, isLogged: !log.isFull)
      for victim in victims {
        if orders.shouldStop() { break }
        removal.remove(victim)
      }
      let outcome = removal.finish()
      log.append(removal.logged)
      orders.progress(outcome.removed.entries, Int64(clamping: outcome.removed.bytes))
      return outcome
    } catch {
      var outcome = EvictionOutcome()
      for victim in victims { outcome.fail(victim, error) }
      return outcome
    }
  }
}

/// The removals of one shard under its lock.
private struct ShardRemoval: ~Copyable {
  private var shard: LockedShard
  private let orders: EvictionOrders
  private var lines = LineWriter()
  private var outcome = EvictionOutcome()
  /// What the history is to keep.
  private(set) var logged = EvictionLog.Lines()
  private let isLogged: Bool

  init(_ shard: consuming LockedShard, _ orders: EvictionOrders, isLogged: Bool) {
    self.orders = orders
    self.isLogged = isLogged
    self.shard = shard
    self.shard.beginRemoving()
  }

  mutating func remove(_ victim: Candidate) {
    do {
      var present = victim
      let status = try shard.objects.status(of: victim.name)
      guard status.kind == .regular else {
        return spare(victim, "is a \(status.kind.rawValue) now")
      }
      present.take(status, now: orders.now)
      guard present.bytes == victim.bytes else {
        return spare(victim, "was replaced since the plan")
      }
      guard present.lastUse == victim.lastUse else {
        return spare(victim, "was used since the plan")
      }
      try shard.unlink(victim.name)
      removed(victim, status)
    } catch {
      if error == .notFound { gone(victim) } else { outcome.fail(victim, error) }
    }
  }

  private mutating func spare(_ victim: Candidate, _ reason: String) {
    outcome.spared += 1
    outcome.skip(victim.name, reason)
  }

  private mutating func removed(_ victim: Candidate, _ status: FileStatus) {
    outcome.removed.add(victim)
    if status.links == 1 {
      outcome.freedInodes += 1
      outcome.freedBytes += Int128(status.allocated)
    }
    let limit = orders.why(victim)
    lines.removed(victim.name, at: orders.now, why: limit.rawValue)
    if isLogged { logged.add(victim, limit, at: orders.now) }
  }

  /// Gone already is as good as removed; the record still has to end.
  private mutating func gone(_ victim: Candidate) {
    outcome.gone.add(victim)
    outcome.skip(victim.name, "was gone already")
    lines.removed(victim.name, at: orders.now, why: "missing")
  }

  /// Records what was done and lets the shard go.
  mutating func finish() -> EvictionOutcome {
    shard.recordRemovals(lines)
    return outcome
  }
}

extension EvictionOutcome {
  fileprivate mutating func fail(_ victim: Candidate, _ error: some Error) {
    note(
      Failure(name: victim.name, reason: "cannot remove \(Layout.object(victim.name)): \(error)"))
    oldestLeft = min(oldestLeft ?? victim.lastUse, victim.lastUse)
  }
}
