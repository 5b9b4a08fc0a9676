internal import CacheFetch
internal import CacheModel
internal import CachePlan
internal import CacheStore

/// An entry that is being asked about.
final class AskedEntry {
  let entry: AskableEntry
  let question: OriginQuestion
  /// The origin that is asked.
  let host: String
  private let cache: Store
  private var sink: ImageSink?
  private var headRefusal: ImageRefusal?

  init(_ entry: AskableEntry, _ question: OriginQuestion, in cache: Store) {
    self.cache = cache
    self.entry = entry
    self.question = question
    host = (try? HTTPURL(question.url))?.origin.description ?? ""
  }

  /// Why the body was not taken; nil: it was, or there was none.
  var refusal: ImageRefusal? { headRefusal ?? sink?.refusal }

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
    (sink, headRefusal) = (nil, nil)
    let now = Instant.now
    let metadata = rules.metadata(
      of: FreshnessResponse(fields: head.fields, asked: now, received: now))
    guard DeclaredType.mayBeImage(metadata.type) else {
      headRefusal = .type(metadata.type ?? "")
      return nil
    }
    guard metadata.terms.isStorable else {
      headRefusal = .noStore
      return nil
    }
    sink = ImageSink(cache, StoreRequest(question, metadata, from: head.url))
    return sink
  }

  /// The record that a 304 makes of the entry's.
  func confirmation(by answer: FetchAnswer, _ rules: FreshnessRules) -> Confirmation {
    let metadata = rules.metadata(entry.origin.freshness, confirmedBy: answer.freshnessResponse)
    return Confirmation(
      entry, entry.origin.updated(by: metadata, to: question, from: answer.head.url))
  }

  /// Stores a body; one that is the image that is there only confirms it, unless `forced`.
  func store(
    _ answer: FetchAnswer, _ rules: FreshnessRules, forced: Bool
  ) throws(ImageRefusal) -> Stored {
    guard let sink else { throw headRefusal ?? .empty }
    var put = try sink.finish()
    let metadata = rules.metadata(of: answer.freshnessResponse)
    let isSame = put.contentHash == entry.cost.hash && put.byteCount == entry.cost.bytes
    // The object is read as well: the records could not tell that it has lost its bytes.
    if isSame, !forced, cache.contentHash(of: entry.name) == put.contentHash {
      return .same(Confirmation(entry, record(metadata, put.contentHash, answer.head.url)))
    }
    // A measure that is not the length is the writer's own, and outlives the bytes.
    let cost = entry.cost.cost == entry.cost.bytes ? nil : entry.cost.cost
    put.describe { [question, entry] request in
      let type = request.type
      request.take(metadata, question, from: answer.head.url)
      request.type = type
      request.cost = cost
      request.others = entry.origin.others
    }
    do {
      let record = try put.commit(replacing: entry, now: answer.received)
      return record.map { .stored($0) } ?? .superseded
    } catch {
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
