public import CacheModel
public import CachePlan

/// Which entries to ask about, how many, and what to do with what is gone.
public struct RevalidationOptions: Sendable {
  /// What becomes of an entry of which its origin says that there is no such image (404, 410).
  public enum Gone: String, Sendable, CaseIterable {
    /// It stays as it is.
    case keep
    /// It goes, unless its host says the same of nearly everything.
    case remove
  }

  /// The present.
  public var now: Instant
  /// Whether fresh entries are asked about as well, but for those that will not change while fresh.
  public var includesFresh = false
  /// Only entries that were checked before this.
  public var checkedBefore: Instant?
  /// Only entries of this host, in lower case.
  public var host: String?
  /// Entries to ask about at most; redirects and repetitions come on top.
  public var maxRequests: Int64?
  /// The time after which nothing more is asked; what is under way may end.
  public var maxDuration: Duration?
  /// What becomes of what is gone.
  public var onGone = Gone.keep
  /// How long answers are fresh.
  public var rules = FreshnessRules()

  /// All stale entries.
  public init(now: Instant) { self.now = now }
}
