public import CacheModel

/// A response as freshness sees it: its fields, and when it was asked for and received by our clock.
public struct FreshnessResponse: Sendable {
  /// The header fields.
  public let fields: HTTPFields
  /// When the request was sent.
  public let asked: Instant
  /// When the response was received.
  public let received: Instant

  /// Wraps a response.
  public init(fields: HTTPFields, asked: Instant, received: Instant) {
    self.fields = fields
    self.asked = asked
    self.received = received
  }

  /// Its Date; where that is absent, doubled or broken, the time of receipt (RFC 9110, 6.6.1).
  var date: Instant { date(of: "date") ?? received }

  /// How old the response was on receipt (RFC 9111, 4.2.3, `corrected_initial_age`).
  ///
  /// A Date ahead of our clock counts as age zero, never as negative age.
  var age: Duration {
    let apparent = max(.zero, received.since(date))
    let delay = max(.zero, received.since(asked))
    return max(apparent, statedAge + delay)
  }

  /// The media type in lower case, without its parameters.
  var type: String? {
    guard let value = fields.single("content-type") else { return nil }
    let end = value.utf8.firstIndex(of: UInt8(ascii: ";")) ?? value.utf8.endIndex
    let type = HTTPText.trimmed(Array(value.utf8[..<end])).map(HTTPText.lower)
    return type.isEmpty ? nil : String(decoding: type, as: UTF8.self)
  }

  func date(of name: StaticString) -> Instant? {
    fields.single(name).flatMap { HTTPDate.instant($0, now: received) }
  }

  /// The Age field: of several the first counts, and what is no number is ignored (RFC 9111, 5.1).
  private var statedAge: Duration {
    let first = fields.list("age").map { $0.utf8.prefix { $0 != UInt8(ascii: ",") } }
    let seconds = first.flatMap { HTTPText.number(HTTPText.trimmed(Array($0))) } ?? 0
    return .seconds(min(seconds, HTTPCacheControl.largestDelta))
  }
}
