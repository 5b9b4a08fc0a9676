/// What etag.jsonl says of one entry: where it came from and how to ask whether it changed.
public struct OriginRecord: Sendable, Hashable {
  /// What the entry is asked for by.
  public var key: CacheKey
  /// The URL, where it differs from the key.
  public var url: String?
  /// The content that the validators speak of; a record whose hash is not that of the cost record
  /// belongs to a store that did not finish.
  public var hash: ContentHash?
  /// The ETag, byte for byte with its quotes (RFC 9110, section 8.8.3).
  public var etag: String?
  /// The Last-Modified field as it came.
  public var lastModified: String?
  /// The media type as it came.
  public var type: String?
  /// The request fields that the response depended on, to be sent again: `name: value` lines.
  public var vary: String?
  /// When the origin last confirmed or sent the content.
  public var checked: Instant
  /// Until when it may be used without asking; nil where the origin set no time.
  public var freshUntil: Instant?
  /// What the origin said of keeping and using it, in Cache-Control's own words; nil where nothing.
  public var terms: String?
  /// Members that this version does not know: name and JSON value, in their order.
  public var others: [Member]

  /// A member kept for whoever wrote it.
  public struct Member: Sendable, Hashable {
    /// The name, unescaped.
    public var name: String
    /// The value as JSON.
    public var json: String

    /// Puts a member together.
    public init(name: String, json: String) {
      self.name = name
      self.json = json
    }
  }

  /// Puts a record together.
  public init(
    key: CacheKey, url: String? = nil, hash: ContentHash? = nil, etag: String? = nil,
    lastModified: String? = nil, type: String? = nil, vary: String? = nil, checked: Instant,
    freshUntil: Instant? = nil, terms: String? = nil, others: [Member] = []
  ) {
    self.key = key
    self.url = url
    self.hash = hash
    self.etag = etag
    self.lastModified = lastModified
    self.type = type
    self.vary = vary
    self.checked = checked
    self.freshUntil = freshUntil
    self.terms = terms
    self.others = others
  }
}
