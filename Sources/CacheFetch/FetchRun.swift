internal import CacheModel
internal import CachePlan

/// One run of a fetcher: the loop that hands jobs to slots and outcomes to the client.
struct FetchRun {
  private let settings: FetchSettings
  private let curl: CurlLibrary
  private let multi: CurlMulti
  private let client: any FetchClient
  private let began = FetchSystem.monotonic
  private var queue: FetchQueue
  private var idle: [FetchTransfer] = []
  private var busy: [ObjectIdentifier: FetchTransfer] = [:]
  private var isDrained = false
  /// Whether the client has no request just now.
  private var isDry = false
  private(set) var random: any RandomNumberGenerator

  init(
    _ settings: FetchSettings, _ curl: CurlLibrary, _ multi: CurlMulti,
    _ client: any FetchClient, _ random: any RandomNumberGenerator
  ) {
    self.settings = settings
    self.curl = curl
    self.multi = multi
    self.client = client
    self.random = random
    queue = FetchQueue(limits: settings.limits, rules: settings.hosts)
  }

  mutating func drive(until stop: FetchStop?) throws(FetchFailure) -> [FetchHostSummary] {
    do throws(FetchFailure) {
      while stop?.isRequested != true {
        isDry = false
        // Before the client is asked: what it gets from now on rings again.
        client.bell?.quiet()
        try startAll()
        if busy.isEmpty, queue.waiting == 0, isDrained { break }
        client.willWait()
        try multi.wait(atMost: patience, or: client.bell?.descriptor ?? stop?.descriptor)
        endAll()
      }
    } catch {
      abandon()
      throw error
    }
    abandon()
    client.willWait()
    return queue.summaries
  }

  private var now: Duration { FetchSystem.monotonic - began }

  /// The time until the queue may have something to start, a minute at most.
  private var patience: Duration {
    queue.nextTime(after: now).map { max(.zero, min(.seconds(60), $0 - now)) } ?? .seconds(60)
  }

  private mutating func startAll() throws(FetchFailure) {
    while true {
      takeRequests()
      if let job = queue.nextLeftAlone() {
        end(job, .failed(leftAlone(job), attempts: job.repetition))
      } else if busy.count < max(1, settings.limits.parallel), let job = queue.next(at: now) {
        try start(job)
      } else if isDrained || isDry || queue.waiting >= settings.limits.lookAhead {
        return
      }
    }
  }

  private func leftAlone(_ job: FetchJob) -> FetchFailure {
    let verdict = queue.verdict(job.url.origin) ?? .failing(inARow: 0)
    return .hostLeftAlone(host: job.url.origin.host, verdict)
  }

  private mutating func takeRequests() {
    while !isDrained, !isDry, queue.waiting < max(1, settings.limits.lookAhead) {
      // Asked first: a request that comes in between is then still fetched.
      let isLast = client.bell?.isPutAway ?? true
      guard let request = client.nextRequest() else {
        isDry = true
        isDrained = isLast
        return
      }
      do throws(HTTPURLFault) {
        queue.add(FetchJob(request: request, url: try HTTPURL(request.url)))
      } catch {
        client.finished(request, .failed(.url(error), attempts: 0))
      }
    }
  }

  private mutating func start(_ job: FetchJob) throws(FetchFailure) {
    let transfer: FetchTransfer
    if let free = idle.popLast() {
      transfer = free
    } else {
      transfer = try FetchTransfer(curl, settings, client)
    }
    do throws(FetchFailure) {
      try transfer.start(job, on: multi)
      busy[ObjectIdentifier(transfer)] = transfer
    } catch {
      idle.append(transfer)
      queue.finish(job, nil)
      end(job, .failed(error, attempts: job.repetition))
    }
  }

  /// Hands out what has ended.
  private mutating func endAll() {
    while let ended = multi.nextEnded() {
      guard let transfer = busy.removeValue(forKey: ObjectIdentifier(ended.events)) else {
        continue
      }
      let step = transfer.end(ended.failure)
      if let job = transfer.job { settle(job, step) }
      idle.append(transfer)
    }
  }

  private mutating func settle(_ job: FetchJob, _ step: FetchTransfer.Step) {
    switch step {
    case .redirected(let url):
      queue.finish(job, .served)
      queue.add(job.redirected(to: url))
    case .answered(let answer):
      queue.finish(job, FetchRun.event(answer.status))
      let isTransient = HTTPStatus.isTransient(answer.head.status)
      if isTransient, postpone(job, answer) { return }
      end(job, .answered(answer))
    case .failed(let failure):
      queue.finish(job, failure.isOfHost ? .failed : .served)
      if failure.isTransient, postpone(job, nil) { return }
      end(job, .failed(failure, attempts: job.repetition + 1))
    }
  }

  private mutating func end(_ job: FetchJob, _ outcome: FetchOutcome) {
    client.finished(job.request, outcome)
  }

  /// Puts a job off, and its host where that asked for it; false: this was its last attempt.
  private mutating func postpone(_ job: FetchJob, _ answer: FetchAnswer?) -> Bool {
    let asked = answer.flatMap { answer in
      answer.head.fields.single("retry-after").flatMap {
        HTTPRetry.asked($0, now: answer.received)
      }
    }
    if let asked, asked > settings.retry.longestAsked {
      queue.leaveAlone(job, .askedToWait(asked))
      return false
    }
    let repetition = job.repetition + 1
    let time = now + settings.retry.wait(repetition: repetition, asked: asked, random: &random)
    if answer?.status == .later { queue.pause(job, until: time) }
    guard repetition <= settings.retry.times, let again = job.repeated() else { return false }
    queue.add(again, at: time)
    return true
  }

  /// Ends everything that has not ended.
  private mutating func abandon() {
    for transfer in busy.values {
      transfer.cancel(on: multi)
      if let job = transfer.job {
        queue.finish(job, nil)
        end(job, .failed(.stopped, attempts: job.repetition + 1))
      }
    }
    busy.removeAll()
    for job in queue.removeAll() { end(job, .failed(.stopped, attempts: job.repetition)) }
  }

  private static func event(_ status: HTTPStatus) -> HTTPHostHealth.Event {
    switch status {
    case .body, .notModified, .redirect, .unexpected: .served
    case .gone: .gone
    case .later, .refused, .failing: .failed
    }
  }
}

extension FetchJob {
  /// The next hop.
  ///
  /// Credentials stay behind for good once a hop leaves the first origin.
  fileprivate func redirected(to url: HTTPURL) -> FetchJob {
    var next = self
    next.isAtHome = isAtHome && url.origin == self.url.origin
    next.url = url
    next.hops += 1
    return next
  }

  /// The next attempt, from the first URL on.
  fileprivate func repeated() -> FetchJob? {
    // The URL was legal the first time.
    guard let url = try? HTTPURL(request.url) else { return nil }
    var next = FetchJob(request: request, url: url)
    next.repetition = repetition + 1
    next.requests = requests
    return next
  }
}
