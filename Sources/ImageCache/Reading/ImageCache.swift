public import CacheFetch
public import CacheModel
public import CachePlan
public import CacheStore

/// A cache that is read through: a fresh image comes from disk, a stale one after its origin was asked,
/// a missing one from its origin.
///
/// Of several processes that want the same image at once, one asks, and the others wait for its
/// result. Where an origin fails, a stale image is given out unless its terms forbid it, and says so.
///
///     let cache = ImageCache(store, FetchSettings(userAgent: "gallery/2 (ops@gallery.example)"))
///     try cache.read([try CacheKey("https://img.example/a.jpg")]) { answer in … }
public struct ImageCache: Sendable {
  let store: Store
  private(set) var settings: FetchSettings
  /// How long answers are fresh: for the audience that the cache's configuration names.
  public var rules: FreshnessRules
  /// How long to wait for another process that asks for the same image, before asking as well.
  public var patience = Duration.seconds(60)

  let tiers: ImageTiers

  /// What becomes of the images in memory when the system runs short of that.
  public enum UnderPressure: Sendable {
    /// They leave.
    case emptyMemory
    /// They stay.
    case keepImages
  }

  /// Reads through `store`, which is open for writing.
  ///
  /// - Parameters:
  ///   - store: the cache on disk.
  ///   - settings: how origins are asked.
  ///   - memory: what ``image(for:variant:)`` may keep in memory.
  ///   - rule: what becomes of that when the system runs short.
  public init(
    _ store: Store, _ settings: FetchSettings,
    memory: MemoryLimits = MemoryLimits(cost: .megabytes(64)),
    underPressure rule: UnderPressure = .emptyMemory
  ) {
    self.store = store
    self.settings = settings
    rules = FreshnessRules(audience: store.configuration.audience)
    tiers = ImageTiers(store, memory, rule)
    // What is taken ahead of its turn keeps its file and its lock open.
    self.settings.limits.lookAhead = 2 * max(1, settings.limits.parallel)
  }

  /// Reads images, several at once, each of them a use.
  ///
  /// - Parameters:
  ///   - keys: what to read; a key that is no URL is only looked for on disk.
  ///   - stop: ends the reading early; what is left fails.
  ///   - each: takes the answers as they come, in any order, one for each key.
  /// - Throws: `FetchFailure` where no request could be made at all.
  public func read(
    _ keys: [CacheKey], until stop: FetchStop? = nil, _ each: (borrowing ImageAnswer) -> Void
  ) throws(FetchFailure) {
    let fetcher = try Fetcher(settings)
    try withoutActuallyEscaping(each) { (each) throws(FetchFailure) in
      let reading = Reading(self, keys, each)
      _ = try fetcher.run(reading, until: stop)
      for wanted in reading.deferred { try read(wanted, fetcher, stop, each) }
    }
  }

  /// Reads an image that somebody else is asking for.
  func read(
    _ wanted: WantedKey, _ fetcher: Fetcher, _ stop: FetchStop?,
    _ each: @escaping (borrowing ImageAnswer) -> Void
  ) throws(FetchFailure) {
    let reading = Reading(self, wanted, each)
    reading.wait(atMost: patience) { stop?.isRequested == true }
    _ = try fetcher.run(reading, until: stop)
  }
}
