public import CacheModel

/// An entry that is to be asked about, as far as etag.jsonl alone tells: the object may be gone.
public struct StaleEntry: Sendable, Hashable, Comparable {
  /// When it became or becomes stale; where the origin set no time, when it was last checked.
  public let freshUntil: Instant
  /// The entry.
  public let name: EntryName

  /// The stalest first, equal ones by name.
  public static func < (one: StaleEntry, other: StaleEntry) -> Bool {
    (one.freshUntil, one.name) < (other.freshUntil, other.name)
  }
}

/// Which entries are to be asked about.
public struct StaleQuery: Sendable {
  /// The present.
  ///
  /// What was checked later is not asked for again.
  public var now: Instant
  /// Whether fresh ones are meant as well.
  public var includesFresh = false
  /// Checked before this.
  public var checkedBefore: Instant?
  /// Keys with this host, in lower case.
  public var host: String?

  /// All stale ones.
  public init(now: Instant) { self.now = now }

  /// An entry that was checked this much after the present was written under another clock: what it
  /// says of its freshness means nothing.
  static let drift = Duration.seconds(300)

  func admits(checked: Instant, freshUntil: Instant) -> Bool {
    if checked > now.after(by: Self.drift) { return true }
    if checked > now { return false }
    if let checkedBefore, checked >= checkedBefore { return false }
    return includesFresh || freshUntil <= now
  }

  func admits(_ key: CacheKey) -> Bool {
    guard let host else { return true }
    return key.host?.asciiLowercased == host
  }
}
