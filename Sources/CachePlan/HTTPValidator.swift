public import CacheModel

/// What a conditional request asks with.
public enum HTTPValidator: Sendable, Hashable {
  /// If-None-Match with the stored tag, byte for byte.
  case ifNoneMatch(String)
  /// If-Modified-Since with a date in the form that may be sent.
  case ifModifiedSince(String)

  /// The validator that the stored values allow (RFC 9110, 13.1.2 and 13.1.3): the tag where it is
  /// legal, else the date where it is one, else none.
  ///
  /// An empty or illegal one is never sent.
  public init?(etag: String?, lastModified: String?, now: Instant) {
    if let tag = etag.flatMap(HTTPEntityTag.init) {
      self = .ifNoneMatch(tag.text)
    } else if let date = lastModified.flatMap({ HTTPDate.instant($0, now: now) }) {
      self = .ifModifiedSince(HTTPDate.text(date))
    } else {
      return nil
    }
  }

  /// The request header's name.
  public var name: String {
    switch self {
    case .ifNoneMatch: "If-None-Match"
    case .ifModifiedSince: "If-Modified-Since"
    }
  }

  /// The request header's value.
  public var value: String {
    switch self {
    case .ifNoneMatch(let value), .ifModifiedSince(let value): value
    }
  }
}
