/// What a status means for a stored entry (RFC 9110, 15).
public enum HTTPStatus: Sendable, Hashable {
  /// 200: the answer's body is the image now.
  case body
  /// 304: the stored body still is.
  case notModified
  /// 301, 302, 303, 307, 308: ask elsewhere.
  case redirect
  /// 404, 410: the origin says that there is no such image.
  case gone
  /// 429, 503: ask later; the entry stays.
  case later
  /// Any other 4xx, such as 401 and 403: the origin will not answer; the entry stays.
  case refused
  /// Any other 5xx: the origin is not well; the entry stays.
  case failing
  /// 1xx, 206, other 2xx and 3xx: an answer, but no image; the entry stays.
  case unexpected

  /// Classifies a status code.
  public init(_ code: Int) {
    switch code {
    case 200: self = .body
    case 304: self = .notModified
    case 301, 302, 303, 307, 308: self = .redirect
    case 404, 410: self = .gone
    case 429, 503: self = .later
    case 400...499: self = .refused
    case 500...599: self = .failing
    default: self = .unexpected
    }
  }

  /// Whether the same request may be answered otherwise in a moment.
  public static func isTransient(_ code: Int) -> Bool {
    [408, 429, 500, 502, 503, 504].contains(code)
  }
}
