internal import CacheModel
internal import CachePlan

/// One slot for requests: makes one hop at a time and says how it ended.
final class FetchTransfer: CurlEvents {
  /// How a hop ended.
  enum Step {
    case answered(FetchAnswer)
    case redirected(HTTPURL)
    case failed(FetchFailure)
  }

  /// A body that nobody wants is read to here, to keep the connection, and cut off beyond.
  private static let drained = 65_536

  private let settings: FetchSettings
  private unowned let client: any FetchClient
  private var engine: CurlEasy?
  private(set) var job: FetchJob?
  private var reader: FetchHeadReader
  private var sink: (any FetchSink)?
  private var bodyBytes: Int64 = 0
  private var refusal: FetchFailure?
  private var isDrainedEnough = false
  private var asked = Instant(milliseconds: 0)
  private var started = Duration.zero

  init(_ curl: CurlLibrary, _ settings: FetchSettings, _ client: any FetchClient)
    throws(FetchFailure)
  {
    self.settings = settings
    self.client = client
    reader = FetchHeadReader(limits: settings.limits)
    engine = try CurlEasy(curl, settings, events: self)
  }

  /// Starts a hop.
  func start(_ job: FetchJob, on multi: CurlMulti) throws(FetchFailure) {
    var job = job
    job.requests += 1
    self.job = job
    reader.reset()
    (sink, bodyBytes, refusal, isDrainedEnough) = (nil, 0, nil, false)
    try checkProxied(job.url)
    try engine?.prepare(
      job.url, headers: FetchTransfer.headers(job),
      credentials: job.isAtHome ? job.url.credentials : nil,
      withoutBody: job.request.method == .head,
      deadline: settings.limits.deadline - job.spent)
    asked = FetchSystem.now
    started = FetchSystem.monotonic
    if let engine { try multi.add(engine) }
  }

  /// Ends a hop before its time.
  func cancel(on multi: CurlMulti) {
    if let engine { multi.remove(engine) }
    sink?.discard()
    sink = nil
  }

  /// What became of the hop; `failure` is libcurl's.
  func end(_ failure: FetchFailure?) -> Step {
    defer { sink = nil }
    job?.spent += FetchSystem.monotonic - started
    if let failure = judged(failure) {
      sink?.discard()
      return .failed(failure)
    }
    guard let job else { return .failed(.stopped) }
    if HTTPStatus(reader.status) == .redirect { return redirect(job) }
    let head = FetchHead(
      status: reader.status, fields: reader.fields, url: job.url, length: reader.length)
    return .answered(
      FetchAnswer(
        head: head, asked: asked, received: FetchSystem.now, bodyBytes: bodyBytes,
        requests: job.requests))
  }

  func take(headerLine: UnsafeRawBufferPointer) -> Bool {
    let wasComplete = reader.isComplete
    do { try reader.take(headerLine) } catch { return refuse(error) }
    return wasComplete || !reader.isComplete || openSink()
  }

  func take(body: UnsafeRawBufferPointer) -> Bool {
    bodyBytes += Int64(body.count)
    guard let sink else {
      isDrainedEnough = bodyBytes > FetchTransfer.drained
      return !isDrainedEnough
    }
    if bodyBytes > settings.limits.bodyBytes { return refuse(.bodyTooLong) }
    return sink.take(body) || refuse(.refused)
  }

  func permit(_ address: HTTPAddress) -> Bool {
    // Behind a proxy the address is the proxy's, which was chosen by whoever set it.
    if settings.proxy != .none || settings.addresses.permit(address) { return true }
    return refuse(.address(address))
  }

  private func refuse(_ reason: FetchFailure) -> Bool {
    refusal = refusal ?? reason
    return false
  }

  private func openSink() -> Bool {
    guard let job, HTTPStatus(reader.status) == .body, job.request.method == .get else {
      return true
    }
    let head = FetchHead(
      status: reader.status, fields: reader.fields, url: job.url, length: reader.length)
    sink = client.sink(for: job.request, head: head)
    return sink != nil || refuse(.refused)
  }

  private func judged(_ failure: FetchFailure?) -> FetchFailure? {
    guard let failure else { return reader.isComplete ? nil : .cutOff }
    // One of a host's addresses may be refused and another one not: then the connection decides.
    if case .address = refusal {
      if case .connect = failure { return refusal }
    } else if let refusal {
      return refusal
    }
    if isDrainedEnough { return nil }
    if case .transport = failure, reader.isComplete { return .cutOff }
    return failure
  }

  private func redirect(_ job: FetchJob) -> Step {
    do {
      return .redirected(
        try HTTPRedirect.next(
          from: job.url, locations: reader.fields.values("location"), hop: job.hops + 1))
    } catch {
      return .failed(.redirect(error))
    }
  }

  private func checkProxied(_ url: HTTPURL) throws(FetchFailure) {
    guard settings.proxy != .none else { return }
    let host = url.origin.host.filter { $0 != "[" && $0 != "]" }
    guard let address = HTTPAddress(host), !settings.addresses.permit(address) else { return }
    throw .address(address)
  }

  private static func headers(_ job: FetchJob) -> [[UInt8]] {
    var lines = [Array("Accept-Encoding: identity".utf8)]
    if let validator = job.request.validator, job.isValidated {
      lines.append(HTTPRequestField(validator).line)
    }
    for field in job.request.fields where job.isAtHome || !field.isCredential {
      lines.append(field.line)
    }
    return lines
  }
}

extension FetchJob {
  /// Whether the validator was given by the URL that is asked now.
  fileprivate var isValidated: Bool {
    guard let source = request.validatedURL else { return hops == 0 }
    return source == url.text || (try? HTTPURL(source)) == url
  }
}
