public import CacheModel
internal import Glibc
internal import Synchronization

extension Store {
  /// Removes victims, a shard's at a time under its lock, each looked at again first: what was used
  /// or replaced since the plan stays.
  ///
  /// Needs no free byte. On twice as many threads as there are processors, since removal waits for the
  /// file system; on more of them each waits for the others, until a removal takes so long that its
  /// shard's witness cannot be kept (``LockedShard/change(_:)``).
  public func evict(
    _ victims: UnsafeBufferPointer<Candidate>, _ orders: EvictionOrders
  ) -> EvictionOutcome {
    let work = EvictionWork(victims.sorted { $0.name < $1.name }, rate: orders.rate)
    let log = EvictionLog(of: self)
    let whole = Mutex(EvictionOutcome())
    let threads = min(2 * processorCount, work.runs.count)
    onThreads(threads) { [self] _ in
      // Not where the one thread is the caller's.
      if threads > 1 { stepBack() }
      while !orders.shouldStop(), let run = work.queue.take() {
        let victims = work.victims[work.runs[run]]
        work.pace?.wait(for: victims.count, unless: orders.shouldStop)
        let outcome = evict(victims, orders, log)
        whole.withLock { $0.merge(outcome) }
      }
    }
    var outcome = whole.withLock { $0 }
    outcome.wasStopped = orders.shouldStop()
    return outcome
  }

  /// Removes victims of one shard.
  private func evict(
    _ victims: ArraySlice<Candidate>, _ orders: EvictionOrders, _ log: EvictionLog
  ) -> EvictionOutcome {
    guard let shard = victims.first?.name.shard else { return EvictionOutcome() }
    do {
      var removal = ShardRemoval(try LockedShard(shard, of: self), orders)
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

/// Victims in runs of one shard each, small ones where the pace is slow: a lock must not be held
/// while waiting for the next removal to be due.
private struct EvictionWork: Sendable {
  let victims: [Candidate]
  let runs: [Range<Int>]
  let queue: WorkQueue
  let pace: Pace?

  init(_ victims: [Candidate], rate: Int64?) {
    self.victims = victims
    let whole = victims.withUnsafeBufferPointer { $0.shardRuns() }
    runs =
      rate.map { rate in whole.flatMap { $0.pieces(of: max(1, Int(clamping: rate / 10))) } }
      ?? whole
    queue = WorkQueue(runs.count)
    pace = rate.map { Pace(perSecond: $0) }
  }
}

extension Range<Int> {
  /// The range in pieces of at most `size`.
  fileprivate func pieces(of size: Int) -> [Range<Int>] {
    stride(from: lowerBound, to: upperBound, by: Swift.min(size, count)).map {
      $0..<Swift.min(upperBound, $0 + Swift.min(size, count))
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

  init(_ shard: consuming LockedShard, _ orders: EvictionOrders) {
    self.orders = orders
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
    logged.add(victim, limit, at: orders.now)
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
