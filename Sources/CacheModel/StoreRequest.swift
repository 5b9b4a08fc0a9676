/// What a writer says of an image beside its bytes.
public struct StoreRequest: Sendable, Hashable {
  /// What the entry is asked for by.
  public var key: CacheKey
  /// The URL, where it differs from the key.
  public var url: String?
  /// The ETag as it came, with its quotes.
  public var etag: String?
  /// The Last-Modified field as it came.
  public var lastModified: String?
  /// The media type.
  public var type: String?
  /// The request fields that the response depended on: `name: value` lines.
  public var vary: String?
  /// Until when the image may be used without asking.
  public var freshUntil: Instant?
  /// What the origin said of keeping and using it, in Cache-Control's own words.
  public var terms: String?
  /// What the entry costs to make or fetch again, in the writer's own measure, 0 to 2^63 − 1; its
  /// length where nil.
  public var cost: Int64?
  /// How many bytes were promised; a body of another length is refused.
  public var expectedBytes: Int64?
  /// The last use, where it is not now: for copies of another cache.
  public var lastUse: Instant?
  /// Further members of the record in etag.jsonl.
  public var others: [OriginRecord.Member] = []

  /// Asks for a store under `key`, with everything else open.
  public init(key: CacheKey) { self.key = key }

  /// The record of etag.jsonl for content that was stored at `now`.
  public func originRecord(hash: ContentHash, at now: Instant) -> OriginRecord {
    OriginRecord(
      key: key, url: url == key.text ? nil : url, hash: hash, etag: etag,
      lastModified: lastModified, type: type, vary: vary, checked: now, freshUntil: freshUntil,
      terms: terms, others: others)
  }
}
