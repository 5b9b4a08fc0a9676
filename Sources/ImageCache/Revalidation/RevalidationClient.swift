internal import CacheFetch
internal import CacheModel
internal import CachePlan
internal import CacheStore

/// Gives a fetcher the entries to ask about, and takes what comes of them.
final class RevalidationClient: FetchClient {
  private let store: Store
  private let options: RevalidationOptions
  private let progress: (Int64, Int64) -> Void
  private var entries: StaleEntries
  private var asked: [UInt64: AskedEntry] = [:]
  private var given: UInt64 = 0
  private var confirmations: ConfirmationBatch
  private var gone: [GoneEntry] = []
  private var result = RevalidationResult()
  private let began = ContinuousClock.now

  /// An entry that its origin says is gone.
  ///
  /// Whether that is believed shows when its host's answers are all in.
  private struct GoneEntry {
    let name: EntryName
    let host: Int
  }
  private var goneHosts: [HTTPOrigin] = []

  init(
    _ store: Store, _ options: RevalidationOptions, _ progress: @escaping (Int64, Int64) -> Void
  ) {
    self.store = store
    self.options = options
    self.progress = progress
    entries = StaleEntries(store, options)
    confirmations = ConfirmationBatch(store)
  }

  func nextRequest() -> FetchRequest? {
    if let most = options.maxRequests, given >= UInt64(max(0, most)) { return limit() }
    if let most = options.maxDuration, ContinuousClock.now - began >= most { return limit() }
    while let entry = entries.next() {
      guard options.mayAsk(entry) else { continue }
      guard let question = OriginQuestion(entry.origin.key, entry.origin) else {
        result.skipped += 1
        continue
      }
      given += 1
      asked[given] = AskedEntry(entry, question, in: store)
      return question.request(tag: given, isConditional: entry.isValidated)
    }
    return nil
  }

  private func limit() -> FetchRequest? {
    // Whether this was all is known by looking for more.
    if entries.next() != nil { result.isComplete = false }
    return nil
  }

  func sink(for request: FetchRequest, head: FetchHead) -> (any FetchSink)? {
    asked[request.tag]?.sink(for: head, options.rules)
  }

  func finished(_ request: FetchRequest, _ outcome: FetchOutcome) {
    guard let asked = asked.removeValue(forKey: request.tag) else { return }
    let before = result.bytesReceived
    switch outcome {
    case .answered(let answer):
      result.requests += Int64(answer.requests)
      result.bytesReceived += answer.bodyBytes
      result.count(asked.host, \.asked)
      take(answer, to: request, asked)
    case .failed(.hostLeftAlone, _), .failed(.stopped, _):
      result.skipped += 1
      result.isComplete = false
    case .failed(let failure, _):
      result.count(asked.host, \.asked)
      fail(asked, asked.refusal.map { "\($0)" } ?? "\(failure)")
    }
    progress(1, result.bytesReceived - before)
  }

  func willWait() { if confirmations.isDue { record() } }

  private func take(_ answer: FetchAnswer, to request: FetchRequest, _ asked: AskedEntry) {
    switch answer.status {
    case .notModified where asked.question.isConfirmed(request, by: answer.head.url):
      confirm(asked.confirmation(by: answer, options.rules), asked, as: \.notModified)
    case .notModified: fail(asked, "304 without a condition")
    case .body: take(body: answer, asked)
    case .gone:
      result.count(asked.host, \.gone)
      if options.onGone == .remove { noteGone(asked, answer.head.url.origin) }
    case .redirect, .later, .refused, .failing, .unexpected:
      fail(asked, "HTTP status \(answer.head.status)")
    }
  }

  private func take(body answer: FetchAnswer, _ asked: AskedEntry) {
    do throws(ImageRefusal) {
      switch try asked.store(answer, options.rules) {
      case .stored: result.count(asked.host, \.replaced)
      case .superseded: result.count(asked.host, \.superseded)
      case .same(let confirmation): confirm(confirmation, asked, as: \.unchanged)
      }
    } catch {
      fail(asked, "\(error)")
    }
  }

  private func confirm(
    _ confirmation: Confirmation, _ asked: AskedEntry,
    as path: WritableKeyPath<RevalidationResult.Counts, Int64>
  ) {
    confirmations.add(confirmation, asked.host, path)
    result.count(asked.host, path)
  }

  private func fail(_ asked: AskedEntry, _ reason: String) {
    result.count(asked.host, \.failed)
    result.fail(asked.entry.origin.key.text, reason)
  }

  private func noteGone(_ asked: AskedEntry, _ host: HTTPOrigin) {
    if goneHosts.last != host { goneHosts.append(host) }
    gone.append(GoneEntry(name: asked.entry.name, host: goneHosts.count - 1))
  }

  /// Writes down what was confirmed.
  func record() {
    for loss in confirmations.record() {
      result.count(loss.host, loss.path, by: -1)
      switch loss.cause {
      case .superseded: result.count(loss.host, \.superseded)
      case .failed(let reason):
        result.count(loss.host, \.failed)
        result.fail(loss.key, reason)
      }
    }
  }

  /// Ends the run.
  func end(_ summaries: [FetchHostSummary], isStopped: Bool) -> RevalidationResult {
    record()
    var disbelieved: Set<HTTPOrigin> = []
    for summary in summaries {
      guard let verdict = summary.verdict else { continue }
      let host = summary.origin
      if case .goneNearly = verdict { disbelieved.insert(host) }
      result.hosts[host, default: .init()].verdict = verdict
      result.isComplete = false
    }
    let believed = gone.filter { !disbelieved.contains(goneHosts[$0.host]) }.map(\.name)
    remove(believed)
    for failure in entries.failures { result.fail(nil, failure) }
    if !entries.failures.isEmpty || isStopped { result.isComplete = false }
    tidy()
    return result
  }

  private func remove(_ names: [EntryName]) {
    if names.isEmpty { return }
    let outcome = store.remove(names, storedBefore: options.now, now: .now, why: "gone")
    result.removed = outcome.removed + outcome.absent
    for failure in outcome.failures { result.fail(nil, failure) }
  }

  /// Rewrites the manifests that confirmations have made long.
  private func tidy() {
    let (_, errors) = store.compact(entries.bloated, learningUses: false, unless: { false })
    for error in errors { result.fail(nil, "\(error)") }
  }
}
