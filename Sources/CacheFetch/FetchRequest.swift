public import CachePlan

/// One thing to ask an origin for.
public struct FetchRequest: Sendable {
  /// How to ask.
  public enum Method: Sendable, Hashable {
    /// For the body.
    case get
    /// For what would be sent with it.
    case head
  }

  /// The caller's own number, handed back with the outcome.
  public var tag: UInt64
  /// What to ask for.
  public var url: String
  /// What to ask with; nil: without a condition.
  public var validator: HTTPValidator?
  /// The URL whose answer gave the validator, where a redirect led there; nil: `url`.
  ///
  /// A validator is sent to that URL alone: another image's `"v1"` must not confirm this one.
  public var validatedURL: String?
  /// Further headers, such as those that the stored answer varies by.
  public var fields: [HTTPRequestField]
  /// How to ask.
  public var method: Method

  /// Wraps a request.
  public init(
    tag: UInt64, url: String, validator: HTTPValidator? = nil, validatedURL: String? = nil,
    fields: [HTTPRequestField] = [], method: Method = .get
  ) {
    self.tag = tag
    self.url = url
    self.validator = validator
    self.validatedURL = validatedURL
    self.fields = fields
    self.method = method
  }
}
