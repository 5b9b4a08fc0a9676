internal import CacheFetch
internal import CacheModel
internal import CachePlan
internal import CacheStore

/// Gives a fetcher what the disk does not answer, and hands out the answers.
final class Reading: FetchClient {
  private let cache: ImageCache
  private var keys: ArraySlice<WantedKey>
  private let feed: KeyFeed?
  private let each: (borrowing ImageAnswer) -> Void
  private var wanted: [UInt64: WantedImage] = [:]
  private var given: UInt64 = 0
  private var patience = Duration.zero
  private var shouldStop: () -> Bool = { false }
  private var mayDefer = true
  /// Keys that another process is asking for.
  private(set) var deferred: [WantedKey] = []

  private init(
    _ cache: ImageCache, _ keys: [WantedKey], _ feed: KeyFeed?,
    _ each: @escaping (borrowing ImageAnswer) -> Void
  ) {
    self.cache = cache
    self.keys = keys[...]
    self.feed = feed
    self.each = each
  }

  /// Reads keys that are wanted from now on.
  convenience init(
    _ cache: ImageCache, _ keys: [CacheKey], _ each: @escaping (borrowing ImageAnswer) -> Void
  ) {
    self.init(cache, keys.map { WantedKey($0, in: cache.tiers) }, nil, each)
  }

  /// Reads one key.
  convenience init(
    _ cache: ImageCache, _ wanted: WantedKey, _ each: @escaping (borrowing ImageAnswer) -> Void
  ) {
    self.init(cache, [wanted], nil, each)
  }

  /// Reads what a feed gives until it is closed.
  convenience init(
    _ cache: ImageCache, _ feed: KeyFeed, _ each: @escaping (borrowing ImageAnswer) -> Void
  ) {
    self.init(cache, [], feed, each)
  }

  var bell: FetchBell? { feed?.bell }

  /// Waits for other processes from now on, and asks as well once that has lasted too long.
  func wait(atMost patience: Duration, unless shouldStop: @escaping () -> Bool) {
    self.patience = patience
    self.shouldStop = shouldStop
    mayDefer = false
  }

  func nextRequest() -> FetchRequest? {
    while let due = keys.popFirst() ?? feed?.next() {
      let image = WantedImage(due, in: cache)
      if image.isFresh {
        give(image, .fresh)
      } else if let request = request(for: image, due) {
        return request
      }
    }
    return nil
  }

  /// The request for an image that has to be asked for; nil where that is done, or for later.
  private func request(for image: WantedImage, _ due: WantedKey) -> FetchRequest? {
    guard let question = image.question else {
      fail(image, "neither its key nor its record is a URL to ask for it")
      return nil
    }
    switch image.turn(waiting: patience, unless: shouldStop) {
    case .ask: break
    case .later where image.mayBeServedMeanwhile:
      give(image, .stale("somebody else is asking for it"))
      return nil
    case .later where mayDefer:
      if let feed { feed.leave(due) } else { deferred.append(due) }
      return nil
    // Whoever has been asking for that long will not be waited for any longer.
    case .later: break
    case .failed(let reason):
      fail(image, reason)
      return nil
    case .again:
      keys = [due] + keys
      return nil
    }
    given += 1
    wanted[given] = image
    return question.request(tag: given, isConditional: image.isConditional)
  }

  func sink(for request: FetchRequest, head: FetchHead) -> (any FetchSink)? {
    wanted[request.tag]?.sink(for: head, cache.rules)
  }

  func willWait() {
    if wanted.isEmpty { feed?.rest() }
  }

  func finished(_ request: FetchRequest, _ outcome: FetchOutcome) {
    guard let image = wanted.removeValue(forKey: request.tag) else { return }
    switch outcome {
    case .answered(let answer): take(answer, to: request, image)
    case .failed(let failure, _): fail(image, image.refusal.map { "\($0)" } ?? "\(failure)")
    }
    image.endTurn()
  }

  private func take(_ answer: FetchAnswer, to request: FetchRequest, _ image: WantedImage) {
    switch answer.status {
    case .notModified where image.question?.isConfirmed(request, by: answer.head.url) == true:
      image.confirm(by: answer, cache.rules)
      give(image, .confirmed)
    case .body:
      do throws(ImageRefusal) { give(image, try image.keep(answer, cache.rules)) } catch {
        fail(image, "\(error)")
      }
    case .gone:
      image.leave(failure: "HTTP status \(answer.head.status)")
      each(ImageAnswer(image.wanted, .gone))
    default: fail(image, "HTTP status \(answer.head.status)")
    }
  }

  private func give(_ image: WantedImage, _ source: ImageAnswer.Source) {
    image.use()
    each(ImageAnswer(image.wanted, source, image.takeObject(), image.freshness))
  }

  private func fail(_ image: WantedImage, _ reason: String) {
    image.leave(failure: reason)
    if image.mayBeServedStale {
      give(image, .stale(reason))
    } else {
      each(ImageAnswer(image.wanted, .failed(reason)))
    }
  }
}
