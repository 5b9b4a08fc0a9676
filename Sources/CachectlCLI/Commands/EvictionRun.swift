internal import CacheModel
internal import CachePlan
internal import CacheStore

/// One gc run: scan, plan, apply or preview, and the report.
struct EvictionRun {
  private let session: Session
  private let store: Store
  private let budget: Budget
  private let request: ScanRequest
  private let rate: Int64?

  init(_ session: Session, _ store: Store, _ budget: Budget, isFull: Bool, rate: Int64?) {
    self.session = session
    self.store = store
    self.budget = budget
    self.rate = rate
    let depth: ScanRequest.Depth = isFull ? .full : budget.measure == .disk ? .objects : .index
    request = ScanRequest(now: .now, depth: depth)
  }

  private func eviction(
    _ room: FileSystemStatus, unless shouldStop: @escaping @Sendable () -> Bool = { false }
  ) -> Eviction<Store> {
    var request = request
    request.shouldStop = shouldStop
    // Of a slow run that is ended from outside, no more than the last minutes are out of order.
    let batch = rate.map { max(1024, 60 * Int(clamping: min($0, 1 << 32))) } ?? .max
    return Eviction(of: store, to: budget, room: room, request, batch: batch)
  }

  /// Prints every victim in the order of removal, saves the plan where asked to, and changes nothing.
  func preview(savingTo path: String?) throws(Session.Failure) -> EvictionReport {
    let room = try session.attempt { () throws(StoreError) in try store.fileSystem() }
    let printer = VictimPrinter(session, store)
    let plan = try session.attempt { () throws(StoreError) in
      try path.map { (path) throws(StoreError) in
        try PlanWriter(path, for: store, now: request.now)
      }
    }
    var failure: StoreError?
    var ages = VictimAges(now: request.now)
    printer.begin(dryRun: true)
    let result = try session.attempt { () throws(StoreError) in
      try eviction(room).run { victims, cutoffs in
        let outcome = victims.previewed { victim in
          ages.add(victim)
          guard failure == nil else { return }
          do throws(StoreError) { try plan?.add(victim, cutoffs.limit(for: victim)) } catch {
            failure = error
          }
        }
        printer.print(UnsafeBufferPointer(victims), cutoffs)
        return outcome
      }
    }
    if let failure { throw Session.Failure(failure) }
    try session.attempt { () throws(StoreError) in try plan?.finish() }
    var report = report(result, ages, room)
    report.isDryRun = true
    report.after.usage = result.census.usage.less(result.outcome.removed)
    report.roomAfter.freeBytes += Int64(clamping: result.outcome.freedBytes)
    report.roomAfter.freeInodes += result.outcome.freedInodes
    countLeftovers(&report, removing: false)
    printer.end(report)
    return report
  }

  /// Evicts, then looks at what is on disk afterwards.
  func apply(holding lock: borrowing RunLock) throws(Session.Failure) -> EvictionReport {
    Signals.catchAll()
    let room = try session.attempt { () throws(StoreError) in try store.fileSystem() }
    let printer = VictimPrinter(session, store)
    let progress = Progress(
      session.global.progress, quiet: session.global.quiet, noun: "evicted")
    var ages = VictimAges(now: request.now)
    printer.begin(dryRun: false)
    var isSettled = false
    let result = try session.attempt { () throws(StoreError) in
      try eviction(room, unless: isStopped).run(
        settle: { shards in
          settle(shards)
          isSettled = true
        }, learn: store.recordUses(of:)
      ) { victims, cutoffs in
        for victim in victims { ages.add(victim) }
        if session.global.verbosity > 0 { printer.print(UnsafeBufferPointer(victims), cutoffs) }
        let why: @Sendable (Candidate) -> Limit = { cutoffs.limit(for: $0) }
        return store.evict(victims, orders(why, progress))
      }
    }
    progress?.end()
    var report = report(result, ages, room)
    try conclude(&report, settling: isSettled ? [] : report.before.unsettled)
    printer.end(report)
    return report
  }

  /// Carries out a saved plan: its victims and no others, each looked at again.
  func apply(
    plan path: String, holding lock: borrowing RunLock
  ) throws(Session.Failure) -> EvictionReport {
    Signals.catchAll()
    let printer = VictimPrinter(session, store)
    let progress = Progress(
      session.global.progress, quiet: session.global.quiet, noun: "evicted")
    var ages = VictimAges(now: request.now)
    var outcome = EvictionOutcome()
    let (room, before) = try session.attempt { () throws(StoreError) in
      (try store.fileSystem(), try store.scan(request) { _, _ in })
    }
    printer.begin(dryRun: false)
    try session.attempt { () throws(StoreError) in
      try store.forEachVictim(ofPlan: path) { victims in
        for victim in victims { ages.add(victim.candidate) }
        let limits = Dictionary(victims.map { ($0.candidate.name, $0.limit) }) { $1 }
        let why: @Sendable (Candidate) -> Limit = { limits[$0.name] ?? .maxBytes }
        var candidates = victims.map(\.candidate)
        candidates.withUnsafeMutableBufferPointer {
          outcome.merge(store.evict($0, orders(why, progress)))
        }
        return !outcome.wasStopped
      }
    }
    progress?.end()
    var report = EvictionReport(before, outcome, budget, request.now, room)
    report.take(ages)
    try conclude(&report, settling: report.before.unsettled)
    report.oldestKept = nil
    printer.end(report)
    return report
  }

  /// What follows every removal: leftovers, upkeep, and the proof.
  private func conclude(
    _ report: inout EvictionReport, settling unsettled: [Shard]
  ) throws(Session.Failure) {
    report.signal = Signals.caught
    countLeftovers(&report, removing: true)
    settle(unsettled)
    try proof(&report)
    report.compactedBytes = compact(report.after.bloated)
  }

  private func orders(
    _ why: @escaping @Sendable (Candidate) -> Limit, _ progress: Progress?
  ) -> EvictionOrders {
    EvictionOrders(
      now: request.now, why: why, rate: rate,
      shouldStop: isStopped,
      progress: { progress?.add(items: $0, bytes: $1) })
  }

  private func report(
    _ result: Eviction<Store>.Result, _ ages: VictimAges, _ room: FileSystemStatus
  ) -> EvictionReport {
    var report = EvictionReport(result.census, result.outcome, budget, request.now, room)
    report.looked = result.looked
    report.oldestKept = result.oldestKept
    report.isHeldByGrace = result.isHeldByGrace
    report.take(ages)
    return report
  }

  /// A tmp/ that cannot be listed is a problem to report beside what was removed, not the report's end.
  private func countLeftovers(_ report: inout EvictionReport, removing: Bool) {
    do throws(StoreError) {
      let leftovers = try store.leftovers(now: request.now, removing: removing)
      report.leftovers = leftovers.count
      report.leftoverBytes = leftovers.bytes
    } catch {
      report.before.note(unlisted(error))
    }
  }

  private func unlisted(_ error: StoreError) -> Census.Problem {
    Census.Problem(.unreadable, error.path, error.errno.map { "\($0)" } ?? "\(error)")
  }

  /// What the witnesses missed is settled once it has been seen; a shard that cannot be settled now
  /// is listed again next time.
  private func settle(_ shards: [Shard]) {
    for error in store.settle(shards, now: request.now, unless: isStopped) {
      session.mention("\(error)")
    }
  }

  /// The state after the run, from the disk and not by subtraction.
  private func proof(_ report: inout EvictionReport) throws(Session.Failure) {
    report.after = try session.attempt { () throws(StoreError) in
      try store.scan(ScanRequest(now: .now, depth: request.depth == .full ? .index : request.depth))
      {
        _, _ in
      }
    }
    report.roomAfter = try session.attempt { () throws(StoreError) in try store.fileSystem() }
  }

  /// Drops the records of what is gone; returns how many bytes that saved.
  private func compact(_ shards: [Shard]) -> Int64 {
    // What the objects' times told is in the records already, where it was worth it.
    let (result, errors) = store.compact(shards, learningUses: false, unless: isStopped)
    for error in errors { session.mention("\(error)") }
    return result.bytesBefore - result.bytesAfter
  }
}

@Sendable private func isStopped() -> Bool { Signals.caught != nil }

/// How old victims were.
struct VictimAges {
  private let now: Instant
  private(set) var young: Int64 = 0
  private(set) var oldest: Instant?

  init(now: Instant) { self.now = now }

  mutating func add(_ victim: Candidate) {
    oldest = min(oldest ?? victim.lastUse, victim.lastUse)
    if now.since(victim.lastUse) < .seconds(86_400) { young += 1 }
  }
}

extension UnsafeMutableBufferPointer<Candidate> {
  /// Puts victims in their order and gives each to `body`; the outcome is what removing them would be.
  fileprivate func previewed(_ body: (Candidate) -> Void) -> EvictionOutcome {
    var all = self
    all.sort { $0.key < $1.key }
    var outcome = EvictionOutcome()
    for victim in all {
      outcome.removed.add(victim)
      body(victim)
    }
    outcome.freedBytes = outcome.removed.allocated
    outcome.freedInodes = outcome.removed.entries
    return outcome
  }
}
