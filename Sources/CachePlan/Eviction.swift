public import CacheModel

/// One run that brings a store inside a budget.
///
/// The order is the exact one of all entries, least recently used first, equal times by name, though
/// only those are looked at whose recorded last use could put them among the victims. Where there
/// are more victims than memory is meant for, the run goes on in windows: each is a scan of its own
/// behind the last one's end.
public struct Eviction<Store: Inventory> {
  private let store: Store
  private let budget: Budget
  private let room: FileSystemStatus
  private let request: ScanRequest
  private let capacity: Int
  private let batch: Int

  /// Prepares a run.
  ///
  /// - Parameters:
  ///   - store: what to evict from.
  ///   - budget: the limits.
  ///   - room: the file system before the run.
  ///   - request: the present, and whether every object is looked at.
  ///   - capacity: candidates held in memory, of 64 bytes each.
  ///   - batch: victims handed out at a time. The more they are, the more of a directory's change at
  ///     once, and the fewer of its blocks a file system writes twice; a run that is ended from outside
  ///     keeps the order from batch to batch.
  public init(
    of store: Store, to budget: Budget, room: FileSystemStatus, _ request: ScanRequest,
    capacity: Int = 640_000, batch: Int = .max
  ) {
    self.store = store
    self.budget = budget
    self.room = room
    self.request = request
    self.capacity = capacity
    self.batch = batch
  }

  /// What is done with victims, in the order of eviction: a window's worth at a time.
  public typealias Disposal =
    (_ victims: UnsafeMutableBufferPointer<Candidate>, _ cutoffs: Cutoffs) -> EvictionOutcome

  /// What a run came to.
  public struct Result: Sendable {
    /// The first scan.
    public var census: Census
    /// What was asked for.
    public var demand: Demand
    /// What was done.
    public var outcome = EvictionOutcome()
    /// What is still asked for at the end.
    public var remaining: Demand
    /// The oldest last use among the entries that stay.
    public var oldestKept: Instant?
    /// Entries that stay because they were used within the grace period.
    public var isHeldByGrace = false
    /// Objects that were looked at to learn their last use.
    public var looked: Int64 = 0

    /// Takes in the oldest last use among entries of one window that stay.
    mutating func keep(_ lastUse: Instant?) {
      guard let lastUse else { return }
      oldestKept = min(oldestKept ?? lastUse, lastUse)
    }

    init(census: Census, demand: Demand) {
      self.census = census
      self.demand = demand
      remaining = demand
    }
  }

  /// What is done about parts of the store whose index is not known to be right, before they are
  /// scanned once more.
  public typealias Settlement = (_ shards: [Shard]) -> Void

  /// What is done with entries that stay and whose objects told their last use, in any order.
  public typealias Lesson = (_ looked: UnsafeMutableBufferPointer<Candidate>) -> Void

  /// Scans, plans and hands the victims to `dispose`, until the budget holds or nothing more can go.
  ///
  /// - Parameters:
  ///   - settle: is given, at most once, what each scan would have to list again.
  ///   - learn: is given what was learnt of entries that stay, a window at a time.
  ///   - dispose: what to do with the victims.
  /// - Returns: what was counted, asked for and done.
  /// - Throws: what the store throws where it cannot be scanned at all.
  public func run(
    settle: Settlement = { _ in }, learn: Lesson = { _ in }, _ dispose: Disposal
  ) throws(Store.Failure) -> Result {
    var request = request
    request.ceiling = .init(limitsOf: budget)
    let survey = survey(request, foretellingFrom: store.partCount)
    let census = try store.scan(request) { survey.take($0, $1) }
    let demand = Demand(budget, usage: census.usage, room: room, now: request.now)
    var result = Result(census: census, demand: demand)
    var window = Window(survey.takePool(), graceCutoff: graceCutoff)
    let ceiling = ScanRequest.Ceiling(goalsOf: budget, asking: demand)
    if ceiling != request.ceiling, budget.target < 100, !demand.isMet {
      // Only now is it known that a target below the limit has to be reached.
      request.ceiling = ceiling
      window.close()
      window = try scanAgain(request)
    }
    while true {
      evict(from: &window, &result, request, dispose)
      result.keep(window.oldestKept)
      result.census.future += window.futureCount
      window.learnt(learn)
      guard let end = window.end, !result.outcome.wasStopped,
        result.remaining.reaches(behind: end) || window.oldestKept == nil
      else { break }
      if request.floor == nil, !census.unsettled.isEmpty { settle(census.unsettled) }
      request.floor = end
      window.close()
      window = try scanAgain(request)
    }
    result.keep(result.outcome.oldestLeft)
    result.isHeldByGrace = window.isHeldByGrace
    return result
  }

  /// Takes victims until the demand is met or the window has no more: one that stays in spite of
  /// the plan is replaced by the next.
  private func evict(
    from window: inout Window, _ result: inout Result, _ request: ScanRequest, _ dispose: Disposal
  ) {
    while true {
      result.looked += window.choose(result.remaining, in: store, request)
      if request.shouldStop() { result.outcome.wasStopped = true }
      if window.victimCount == 0 || result.outcome.wasStopped { return }
      window.disposeOfVictims(size: batch) { victims, cutoffs in
        let outcome = dispose(victims, cutoffs)
        result.outcome.merge(outcome)
        result.remaining.subtract(outcome)
        return !outcome.wasStopped
      }
    }
  }

  private var graceCutoff: Instant { request.now.before(by: budget.grace) }

  private func scanAgain(_ request: ScanRequest) throws(Store.Failure) -> Window {
    var request = request
    request.horizon = Horizon()
    let survey = survey(request, foretellingFrom: 0)
    _ = try store.scan(request) { survey.take($0, $1) }
    return Window(survey.takePool(), graceCutoff: graceCutoff)
  }

  private func survey(_ request: ScanRequest, foretellingFrom parts: Int) -> Survey {
    Survey(budget, room: room, request, capacity: capacity, foretellingFrom: parts)
  }
}
