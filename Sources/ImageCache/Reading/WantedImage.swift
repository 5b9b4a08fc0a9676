internal import CacheFetch
internal import CacheModel
internal import CachePlan
internal import CacheStore

/// One image while it is read through the cache.
final class WantedImage {
  let wanted: WantedKey
  let question: OriginQuestion?
  private(set) var freshness: FreshnessMetadata?
  private let cache: Store
  private let keeper: BudgetKeeper
  private let entry: AskableEntry?
  private var object: OpenObject?
  private var lock: FillLock?
  private var sink: BodyIntake?

  var key: CacheKey { wanted.key }

  /// Looks at what the disk holds; an entry that was checked since it was wanted is as good as asked for.
  init(_ wanted: WantedKey, in cache: ImageCache) {
    self.wanted = wanted
    self.cache = cache.store
    keeper = cache.tiers.keeper
    let entry = cache.store.askable(wanted.key.name)
    self.entry = entry
    question = OriginQuestion(wanted.key, entry?.origin)
    // Without a record an object is a stranger's, and of another length it has been damaged.
    if let entry, let object = cache.store.get(wanted.key, touchAt: nil),
      object.byteCount == entry.cost.bytes
    {
      self.object = consume object
      freshness = entry.origin.freshness
    }
  }

  /// Whether the image on disk may be given out without asking.
  var isFresh: Bool {
    guard let freshness else { return false }
    return Freshness(freshness, now: .now) == .fresh
      || freshness.checked >= wanted.since && freshness.checked <= .now
  }

  /// Whether the validators may be sent.
  var isConditional: Bool { object != nil && entry?.isValidated == true }

  /// Whether the image on disk may be given out because its origin fails.
  var mayBeServedStale: Bool {
    freshness.map { Freshness.mayServeOnError($0, now: .now) } ?? false
  }

  /// Whether the image on disk may be given out while somebody else asks about it (RFC 5861, 3).
  var mayBeServedMeanwhile: Bool {
    freshness.map { Freshness($0, now: .now) == .staleWhileRevalidate } ?? false
  }

  /// What to do after asking for the right to ask.
  enum Turn {
    case ask, later, again
    case failed(String)
  }

  func turn(waiting patience: Duration, unless shouldStop: () -> Bool) -> Turn {
    do {
      let turn = try cache.fillTurn(for: key.name, waiting: patience, unless: shouldStop)
      switch consume turn {
      case .mine(let lock):
        self.lock = consume lock
        return .ask
      case .busy: return .later
      case .ended(let failure): return failure.map { .failed($0) } ?? .again
      }
    } catch {
      // Where no lock can be had, everybody asks.
      return .ask
    }
  }

  func leave(failure: String) { lock?.leave(failure: failure) }

  func endTurn() { lock = nil }

  /// Why the body was not taken.
  var refusal: ImageRefusal? { sink?.refusal }

  func sink(for head: FetchHead, _ rules: FreshnessRules) -> (any FetchSink)? {
    guard let question else { return nil }
    let intake = BodyIntake(question, head, rules, in: cache, keepsAll: true)
    sink = intake
    return intake.sink
  }

  /// Records that the origin confirmed the image.
  func confirm(by answer: FetchAnswer, _ rules: FreshnessRules) {
    guard let entry, let question else { return }
    let metadata = rules.metadata(entry.origin.freshness, confirmedBy: answer.freshnessResponse)
    let record = entry.origin.updated(by: metadata, to: question, from: answer.head.url)
    // What cannot be recorded will be asked for again; the image is right all the same.
    _ = cache.confirm([Confirmation(entry, record)])
    freshness = metadata
  }

  /// Stores what came, where that is allowed.
  func keep(
    _ answer: FetchAnswer, _ rules: FreshnessRules
  ) throws(ImageRefusal) -> ImageAnswer.Source {
    guard let sink, let question else { throw .empty }
    var put = try sink.finish()
    let metadata = rules.metadata(of: answer.freshnessResponse)
    do {
      object = try put.openBytes()
      freshness = metadata
      guard metadata.terms.isStorable else { return .notKept }
      put.describe { [entry] in $0.take(metadata, question, from: answer.head.url, replacing: entry)
      }
      keeper.count(try put.commit(now: answer.received))
      return .received
    } catch {
      throw .store(error)
    }
  }

  /// Records the use.
  func use() {
    switch object {
    case nil: break
    case .some(let object): cache.touch(object, now: .now)
    }
  }

  /// Gives the image away.
  func takeObject() -> OpenObject? { object.take() }
}
