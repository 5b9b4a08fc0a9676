public import CacheFetch
public import CacheModel
public import CachePlan
internal import CacheStore

/// What an origin says of an image without sending it.
public struct OriginHead: Sendable {
  /// What was asked for.
  public let key: CacheKey
  /// `received` or `notKept` where it would be stored or not; `gone` or `failed`.
  public let source: ImageAnswer.Source
  /// The URL that answered, where that is not what was asked.
  public let url: String?
  /// The length it would have; nil where the origin does not say.
  public let bytes: Int64?
  /// What would be recorded of it.
  public let freshness: FreshnessMetadata?
}

extension ImageCache {
  /// Asks the origins for heads alone (RFC 9110, 9.3.2).
  ///
  /// Reads and changes nothing of the cache but the records that say where to ask.
  ///
  /// - Throws: `FetchFailure` where no request could be made at all.
  public func heads(
    _ keys: [CacheKey], until stop: FetchStop? = nil, _ each: (OriginHead) -> Void
  ) throws(FetchFailure) {
    let fetcher = try Fetcher(settings)
    try withoutActuallyEscaping(each) { (each) throws(FetchFailure) in
      _ = try fetcher.run(HeadReading(self, keys, each), until: stop)
    }
  }
}

/// Asks for heads one after the other.
private final class HeadReading: FetchClient {
  private let cache: ImageCache
  private var keys: ArraySlice<CacheKey>
  private let each: (OriginHead) -> Void
  private var asked: [UInt64: OriginQuestion] = [:]
  private var given: UInt64 = 0

  init(_ cache: ImageCache, _ keys: [CacheKey], _ each: @escaping (OriginHead) -> Void) {
    self.cache = cache
    self.keys = keys[...]
    self.each = each
  }

  func nextRequest() -> FetchRequest? {
    while let key = keys.popFirst() {
      let record = cache.store.askable(key.name)?.origin
      guard let question = OriginQuestion(key, record) else {
        each(OriginHead(key, failure: "neither its key nor its record is a URL to ask for it"))
        continue
      }
      given += 1
      asked[given] = question
      var request = question.request(tag: given, isConditional: false)
      request.method = .head
      return request
    }
    return nil
  }

  func sink(for request: FetchRequest, head: FetchHead) -> (any FetchSink)? { nil }

  func willWait() {}

  func finished(_ request: FetchRequest, _ outcome: FetchOutcome) {
    guard let question = asked.removeValue(forKey: request.tag) else { return }
    switch outcome {
    case .answered(let answer): each(OriginHead(question, answer, cache.rules))
    case .failed(let failure, _): each(OriginHead(question.key, failure: "\(failure)"))
    }
  }
}

extension OriginHead {
  fileprivate init(_ key: CacheKey, failure: String) {
    self.init(key: key, source: .failed(failure), url: nil, bytes: nil, freshness: nil)
  }

  fileprivate init(_ question: OriginQuestion, _ answer: FetchAnswer, _ rules: FreshnessRules) {
    let metadata = rules.metadata(of: answer.freshnessResponse)
    let source: ImageAnswer.Source
    switch answer.status {
    case .body where !DeclaredType.mayBeImage(metadata.type):
      source = .failed("\(ImageRefusal.type(metadata.type ?? ""))")
    case .body: source = metadata.terms.isStorable ? .received : .notKept
    case .gone: source = .gone
    default: source = .failed("HTTP status \(answer.head.status)")
    }
    self.init(
      key: question.key, source: source, url: question.recordedURL(answer.head.url),
      bytes: answer.status == .body ? answer.head.length : nil,
      freshness: answer.status == .body ? metadata : nil)
  }
}
