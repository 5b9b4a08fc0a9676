import CacheFetch
import CachePlan
import TestSupport

/// Asks for a list of things and keeps everything that comes.
final class Collector: FetchClient {
  private var requests: ArraySlice<FetchRequest>
  private(set) var outcomes: [UInt64: FetchOutcome] = [:]
  private(set) var sinks: [UInt64: [CollectingSink]] = [:]
  /// Requests given and not yet ended, at most.
  private(set) var mostOpen = 0
  private var open = 0
  private(set) var waits = 0
  var hosts: [FetchHostSummary] = []
  /// Whether a body is wanted.
  var wants: (FetchHead) -> Bool = { _ in true }
  /// The most bytes that a sink takes.
  var takes = Int.max
  /// Called when a request ends.
  var atEnd: () -> Void = {}

  init(_ requests: [FetchRequest]) { self.requests = requests[...] }

  func nextRequest() -> FetchRequest? {
    guard let next = requests.popFirst() else { return nil }
    open += 1
    mostOpen = max(mostOpen, open)
    return next
  }

  func sink(for request: FetchRequest, head: FetchHead) -> (any FetchSink)? {
    guard wants(head) else { return nil }
    let sink = CollectingSink(takes)
    sinks[request.tag, default: []].append(sink)
    return sink
  }

  func finished(_ request: FetchRequest, _ outcome: FetchOutcome) {
    precondition(outcomes[request.tag] == nil, "a request ends once")
    outcomes[request.tag] = outcome
    open -= 1
    atEnd()
  }

  func willWait() { waits += 1 }

  /// The answer to a request; nil: it failed.
  func answer(_ tag: UInt64 = 0) -> FetchAnswer? {
    if case .answered(let answer) = outcomes[tag] { answer } else { nil }
  }

  /// Why a request failed; nil: it did not.
  func failure(_ tag: UInt64 = 0) -> FetchFailure? {
    if case .failed(let failure, _) = outcomes[tag] { failure } else { nil }
  }

  /// The statuses and failures of all requests, in the order of their tags.
  var endings: [String] {
    outcomes.sorted { $0.key < $1.key }.map { _, outcome in
      switch outcome {
      case .answered(let answer): "\(answer.head.status)"
      case .failed(let failure, _): "\(failure)"
      }
    }
  }

  /// The one body that was kept for a request.
  func body(_ tag: UInt64 = 0) -> [UInt8]? {
    let kept = sinks[tag, default: []].filter { !$0.isDiscarded }
    return kept.count == 1 ? kept[0].bytes : nil
  }
}

final class CollectingSink: FetchSink {
  private(set) var bytes: [UInt8] = []
  private(set) var isDiscarded = false
  private let takes: Int

  init(_ takes: Int) { self.takes = takes }

  func take(_ more: UnsafeRawBufferPointer) -> Bool {
    bytes += more
    return bytes.count <= takes
  }

  func discard() {
    precondition(!isDiscarded, "a sink is discarded once")
    isDiscarded = true
  }
}

/// Settings for origins on the loopback: nothing is repeated.
func settings(_ change: (inout FetchSettings) -> Void = { _ in }) -> FetchSettings {
  var settings = FetchSettings(userAgent: "tests")
  settings.addresses.allowed = ["127.0.0.1"].compactMap(HTTPNetwork.init)
  settings.retry.times = 0
  settings.limits.deadline = .seconds(30)
  change(&settings)
  return settings
}

/// Makes the requests, and gives what came.
func fetch(
  _ requests: [FetchRequest], _ settings: FetchSettings = settings(), until stop: FetchStop? = nil,
  _ prepare: (Collector) -> Void = { _ in }
) throws -> Collector {
  let collector = Collector(requests)
  prepare(collector)
  collector.hosts = try Fetcher(settings).run(collector, until: stop)
  return collector
}

func fetch(
  _ url: String, _ settings: FetchSettings = settings(), _ prepare: (Collector) -> Void = { _ in }
) throws -> Collector {
  try fetch([FetchRequest(tag: 0, url: url)], settings, prepare)
}

/// An answer of the usual form.
func answer(_ status: String = "200 OK", _ fields: String..., body: String = "") -> String {
  let all = ["HTTP/1.1 " + status, "Content-Length: \(body.utf8.count)"] + fields
  return all.joined(separator: "\r\n") + "\r\n\r\n" + body
}

/// Asks an origin that answers with these bytes.
func fetch(
  answering text: String, _ settings: FetchSettings = settings()
) throws -> Collector {
  let origin = try RawOrigin(text)
  return try fetch(origin.url(), settings)
}

/// So many requests, to the origins in turn.
func requests(_ count: Int, _ origins: RawOrigin...) -> [FetchRequest] {
  (0..<count).map {
    FetchRequest(tag: UInt64($0), url: origins[$0 % origins.count].url("/\($0)"))
  }
}
