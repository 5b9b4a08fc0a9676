internal import CachePlan

/// A request on its way: where it stands in its redirects and repetitions.
struct FetchJob {
  let request: FetchRequest
  var url: HTTPURL
  /// 0: the first time.
  var repetition = 0
  /// Redirects followed in this attempt.
  var hops = 0
  /// Whether every hop so far stayed with the first origin.
  var isAtHome = true
  /// Time used by this attempt's earlier hops.
  var spent = Duration.zero
  /// Requests made for it so far.
  var requests = 0
  /// The queue's number for the origin.
  var host = 0
}

/// Decides which request goes next.
///
/// It knows no clock: `now` is the time since the run began.
///
/// Each origin has its own line; origins that may be asked take turns. A line whose origin is at its
/// limit or told us to wait holds up nobody else.
struct FetchQueue {
  private struct Host {
    let origin: HTTPOrigin
    var waiting = FetchLine<FetchJob>()
    var running = 0
    var limit: Int
    var pausedUntil = Duration.zero
    var isInTurn = false
    var health = HTTPHostHealth()
    var verdict: HTTPHostVerdict?
  }

  private let limits: FetchLimits
  private let rules: HTTPHostRules
  private var hosts: [Host] = []
  private var numbers: [HTTPOrigin: Int] = [:]
  private var turns = FetchLine<Int>()
  private var later = FetchTimers<Later>()
  private var nextStart = Duration.zero
  /// Origins that are left alone and may still have jobs.
  private var leftAlone: [Int] = []
  /// Jobs that have not been handed out.
  private(set) var waiting = 0
  /// Jobs handed out and not yet finished.
  private(set) var running = 0

  private enum Later {
    case host(Int)
    case job(FetchJob)
  }

  init(limits: FetchLimits, rules: HTTPHostRules) {
    self.limits = limits
    self.rules = rules
  }

  /// Why an origin is left alone; nil: it is not.
  func verdict(_ origin: HTTPOrigin) -> HTTPHostVerdict? {
    numbers[origin].flatMap { hosts[$0].verdict }
  }

  /// What each origin's answers add up to.
  var summaries: [FetchHostSummary] {
    hosts.map { FetchHostSummary(origin: $0.origin, health: $0.health, verdict: $0.verdict) }
  }

  /// Puts a job at the end of its origin's line.
  mutating func add(_ job: FetchJob) {
    var job = job
    job.host = number(job.url.origin)
    hosts[job.host].waiting.append(job)
    waiting += 1
    giveTurn(job.host)
  }

  /// Puts a job into its origin's line at a later time.
  mutating func add(_ job: FetchJob, at time: Duration) {
    later.add(.job(job), at: time)
    waiting += 1
  }

  /// The next job that may start at `now`; nil: none may, yet.
  mutating func next(at now: Duration) -> FetchJob? {
    advance(to: now)
    guard limits.perSecond == nil || nextStart <= now else { return nil }
    while let number = turns.popFirst() {
      hosts[number].isInTurn = false
      guard mayStart(number, at: now), let job = hosts[number].waiting.popFirst() else { continue }
      hosts[number].running += 1
      running += 1
      waiting -= 1
      giveTurn(number)
      countStart(at: now)
      return job
    }
    return nil
  }

  /// The next job of an origin that is left alone; it is not to be made.
  mutating func nextLeftAlone() -> FetchJob? {
    for number in leftAlone {
      if let job = hosts[number].waiting.popFirst() {
        waiting -= 1
        return job
      }
    }
    leftAlone.removeAll()
    return nil
  }

  /// Takes back a job that was handed out, with what its origin did.
  mutating func finish(_ job: FetchJob, _ event: HTTPHostHealth.Event?) {
    hosts[job.host].running -= 1
    running -= 1
    if let event {
      hosts[job.host].health.record(event)
      if let verdict = hosts[job.host].health.verdict(rules) { leaveAlone(job.host, verdict) }
    }
    giveTurn(job.host)
  }

  /// Leaves a job's origin alone from now on.
  mutating func leaveAlone(_ job: FetchJob, _ verdict: HTTPHostVerdict) {
    leaveAlone(job.host, verdict)
  }

  /// Starts nothing more with a job's origin before `time`, and afterwards with half the requests at
  /// once: it said that it is too much.
  mutating func pause(_ job: FetchJob, until time: Duration) {
    hosts[job.host].limit = max(1, hosts[job.host].limit / 2)
    guard time > hosts[job.host].pausedUntil else { return }
    hosts[job.host].pausedUntil = time
    later.add(.host(job.host), at: time)
  }

  /// When `next` may have something that it has not now; nil: not before a job finishes.
  func nextTime(after now: Duration) -> Duration? {
    let isHeldByRate = limits.perSecond != nil && nextStart > now && !turns.isEmpty
    return [isHeldByRate ? nextStart : nil, later.first].compactMap { $0 }.min()
  }

  /// Takes out every job that has not been handed out.
  mutating func removeAll() -> [FetchJob] {
    advance(to: .seconds(Int64.max))
    var jobs: [FetchJob] = []
    for number in hosts.indices {
      while let job = hosts[number].waiting.popFirst() { jobs.append(job) }
    }
    waiting = 0
    return jobs
  }

  private mutating func advance(to now: Duration) {
    while let due = later.popFirst(until: now) {
      switch due {
      case .host(let number): giveTurn(number)
      case .job(let job):
        waiting -= 1
        add(job)
      }
    }
  }

  private func mayStart(_ number: Int, at now: Duration) -> Bool {
    hosts[number].verdict == nil && hosts[number].running < hosts[number].limit
      && hosts[number].pausedUntil <= now
  }

  private mutating func countStart(at now: Duration) {
    guard let perSecond = limits.perSecond else { return }
    // Starts are made up for within 10 ms, the grain of waiting; no burst is longer than that.
    nextStart = max(nextStart, now - .milliseconds(10)) + .seconds(1 / perSecond)
  }

  private mutating func giveTurn(_ number: Int) {
    guard !hosts[number].isInTurn, !hosts[number].waiting.isEmpty else { return }
    if hosts[number].verdict != nil {
      leftAlone.append(number)
    } else if hosts[number].running < hosts[number].limit {
      hosts[number].isInTurn = true
      turns.append(number)
    }
  }

  private mutating func leaveAlone(_ number: Int, _ verdict: HTTPHostVerdict) {
    guard hosts[number].verdict == nil else { return }
    hosts[number].verdict = verdict
    leftAlone.append(number)
  }

  private mutating func number(_ origin: HTTPOrigin) -> Int {
    if let number = numbers[origin] { return number }
    hosts.append(Host(origin: origin, limit: max(1, limits.perHost)))
    numbers[origin] = hosts.count - 1
    return hosts.count - 1
  }
}
