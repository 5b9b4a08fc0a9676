public import CacheFetch
public import CacheModel
internal import CachePlan
public import CacheStore

/// Gets images anew that were found damaged: asks for each without a condition, whatever its
/// freshness, and replaces what is on disk even where the records say the same.
///
///     let outcomes = try Refetch(store, settings).run(names)
///
/// What fails leaves the entry as it was. Last uses stay as they are.
public struct Refetch: Sendable {
  private let store: Store
  private let settings: FetchSettings

  /// What became of an entry.
  public enum Outcome: Sendable {
    /// Its image is whole again, and recorded so.
    ///
    /// One that came as it was recorded before tells that the damage was done here: to a condition
    /// its origin would have answered 304.
    case replaced(CostRecord, isAsRecorded: Bool)
    /// Somebody else replaced or removed it meanwhile.
    case superseded
    /// It is as it was, for this reason.
    case failed(String)
  }

  /// Prepares for a store that is open for writing.
  public init(_ store: Store, _ settings: FetchSettings) {
    self.store = store
    self.settings = settings
  }

  /// Gets images.
  ///
  /// - Parameters:
  ///   - names: their entries; one without records in both manifests fails: nothing says what to ask.
  ///   - stop: ends the run early; what is left fails.
  /// - Returns: an outcome for each name.
  /// - Throws: `FetchFailure` where no request could be made at all.
  public func run(
    _ names: [EntryName], until stop: FetchStop? = nil
  ) throws(FetchFailure) -> [EntryName: Outcome] {
    let client = RefetchClient(store, names)
    _ = try Fetcher(settings).run(client, until: stop)
    return client.outcomes
  }
}

/// Asks for a list of entries.
private final class RefetchClient: FetchClient {
  private(set) var outcomes: [EntryName: Refetch.Outcome] = [:]
  private let store: Store
  private var names: ArraySlice<EntryName>
  private var loaded: [EntryName: AskableEntry] = [:]
  private var asked: [UInt64: AskedEntry] = [:]
  private var given: UInt64 = 0
  private let rules: FreshnessRules

  init(_ store: Store, _ names: [EntryName]) {
    self.store = store
    rules = FreshnessRules(audience: store.configuration.audience)
    self.names = names[...]
  }

  func nextRequest() -> FetchRequest? {
    while let name = names.popFirst() {
      guard let entry = entry(name), let question = OriginQuestion(entry.origin.key, entry.origin)
      else {
        outcomes[name] = .failed("no record says where to ask for it")
        continue
      }
      given += 1
      asked[given] = AskedEntry(entry, question, in: store)
      return question.request(tag: given, isConditional: false)
    }
    return nil
  }

  /// Records are read some thousand at a time.
  private func entry(_ name: EntryName) -> AskableEntry? {
    if let entry = loaded.removeValue(forKey: name) { return entry }
    loaded = store.askable([name] + names.prefix(4096), needsObject: false).entries
    return loaded.removeValue(forKey: name)
  }

  func sink(for request: FetchRequest, head: FetchHead) -> (any FetchSink)? {
    asked[request.tag]?.sink(for: head, rules)
  }

  func willWait() {}

  func finished(_ request: FetchRequest, _ outcome: FetchOutcome) {
    guard let asked = asked.removeValue(forKey: request.tag) else { return }
    outcomes[asked.entry.name] =
      switch outcome {
      case .answered(let answer) where answer.status == .body: store(answer, asked)
      case .answered(let answer): .failed("HTTP status \(answer.head.status)")
      case .failed(let failure, _): .failed(asked.refusal.map { "\($0)" } ?? "\(failure)")
      }
  }

  private func store(_ answer: FetchAnswer, _ asked: AskedEntry) -> Refetch.Outcome {
    do throws(ImageRefusal) {
      guard let record = try asked.replace(by: answer, rules) else { return .superseded }
      return .replaced(record, isAsRecorded: record.hash == asked.entry.cost.hash)
    } catch {
      return .failed("\(error)")
    }
  }
}
