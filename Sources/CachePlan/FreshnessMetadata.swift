public import CacheModel

/// What is kept of a response to know when to ask again, and with what: the part of an etag.jsonl
/// record that HTTP decides.
public struct FreshnessMetadata: Sendable, Hashable {
  /// The entity tag as received, legal or not; only a legal one is ever sent.
  public var etag: String?
  /// Last-Modified as received.
  public var lastModified: String?
  /// The media type in lower case, without parameters.
  public var type: String?
  /// When the answer was received: the last time the origin vouched for the body.
  public var checked: Instant
  /// When it becomes stale.
  public var freshUntil: Instant
  /// The lifetime that the origin stated, for answers that state none again; nil: none stated.
  public var lifetime: Duration?
  /// What the origin forbids or allows beyond that.
  public var terms: FreshnessTerms
  /// Request headers, in lower case, that the answer depends on; they are sent again.
  public var vary: [String]

  /// Wraps stored values.
  public init(
    etag: String? = nil, lastModified: String? = nil, type: String? = nil, checked: Instant,
    freshUntil: Instant, lifetime: Duration? = nil, terms: FreshnessTerms = FreshnessTerms(),
    vary: [String] = []
  ) {
    self.etag = etag
    self.lastModified = lastModified
    self.type = type
    self.checked = checked
    self.freshUntil = freshUntil
    self.lifetime = lifetime
    self.terms = terms
    self.vary = vary
  }

  /// What to ask with: the tag, else the date, else nothing.
  public var validator: HTTPValidator? {
    HTTPValidator(etag: etag, lastModified: lastModified, now: checked)
  }
}

/// What an origin says about keeping and using a response.
public struct FreshnessTerms: Sendable, Hashable {
  /// `no-store`, or for shared caches also `private`: the body must not be kept.
  public var isStorable = true
  /// `no-cache`, or `Vary: *`: must be asked about before each use.
  public var alwaysAsk = false
  /// `must-revalidate`: must not be used stale, not even when the origin fails.
  public var mustRevalidate = false
  /// `immutable`: not to be asked about while it is fresh, even where one is told to ask.
  public var isImmutable = false
  /// How long it may be used stale while it is being asked about; nil: not said.
  public var staleWhileRevalidate: Duration?
  /// How long it may be used stale while the origin fails; nil: not said.
  public var staleIfError: Duration?

  /// The terms of a response that states none.
  public init() {}
}
