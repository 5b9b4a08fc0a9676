internal import CacheFetch
internal import CacheModel
internal import CachePlan
internal import CacheStore

/// An entry that is being asked about.
final class AskedEntry {
  let entry: AskableEntry
  let question: OriginQuestion
  /// The origin that is asked.
  var host: HTTPOrigin { question.url.origin }
  private let cache: Store
  private var intake: BodyIntake?

  init(_ entry: AskableEntry, _ question: OriginQuestion, in cache: Store) {
    self.cache = cache
    self.entry = entry
    self.question = question
  }

  /// Why the body was not taken; nil: it was, or there was none.
  var refusal: ImageRefusal? { intake?.refusal }

  /// What became of a body.
  enum Stored {
    /// It replaced the image.
    case stored(CostRecord)
    /// It is the image that is there.
    case same(Confirmation)
    /// The entry is not any more what was asked about.
    case superseded
  }

  /// Where a body goes; nil where its head says that it is not wanted.
  func sink(for head: FetchHead, _ rules: FreshnessRules) -> ImageSink? {
    let intake = BodyIntake(question, head, rules, in: cache, keepsAll: false)
    self.intake = intake
    return intake.sink
  }

  /// The record that a 304 makes of the entry's.
  func confirmation(by answer: FetchAnswer, _ rules: FreshnessRules) -> Confirmation {
    let metadata = rules.metadata(entry.origin.freshness, confirmedBy: answer.freshnessResponse)
    return Confirmation(
      entry, entry.origin.updated(by: metadata, to: question, from: answer.head.url))
  }

  /// Stores a body; one that is the image that is there only confirms it.
  func store(_ answer: FetchAnswer, _ rules: FreshnessRules) throws(ImageRefusal) -> Stored {
    let put = try finish()
    let isSame = put.contentHash == entry.cost.hash && put.byteCount == entry.cost.bytes
    // The object is read as well: the records could not tell that it has lost its bytes.
    if isSame, cache.contentHash(of: entry.name) == put.contentHash {
      let metadata = rules.metadata(of: answer.freshnessResponse)
      return .same(Confirmation(entry, record(metadata, put.contentHash, answer.head.url)))
    }
    return try commit(put, answer, rules).map { .stored($0) } ?? .superseded
  }

  /// Stores a body whatever is there; nil where the entry is not any more what was asked about.
  func replace(
    by answer: FetchAnswer, _ rules: FreshnessRules
  ) throws(ImageRefusal) -> CostRecord? {
    try commit(finish(), answer, rules)
  }

  private func finish() throws(ImageRefusal) -> Put {
    guard let intake else { throw .empty }
    return try intake.finish()
  }

  private func commit(
    _ put: consuming Put, _ answer: FetchAnswer, _ rules: FreshnessRules
  ) throws(ImageRefusal) -> CostRecord? {
    let metadata = rules.metadata(of: answer.freshnessResponse)
    put.describe { [question, entry] in
      $0.take(metadata, question, from: answer.head.url, replacing: entry)
    }
    do { return try put.commit(replacing: entry, now: answer.received) } catch {
      throw .store(error)
    }
  }

  private func record(
    _ metadata: FreshnessMetadata, _ hash: ContentHash, _ url: HTTPURL
  ) -> OriginRecord {
    var record = entry.origin.updated(by: metadata, to: question, from: url)
    record.hash = hash
    return record
  }
}
