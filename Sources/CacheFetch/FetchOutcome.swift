public import CacheModel
public import CachePlan

/// How a request ended.
public enum FetchOutcome: Sendable {
  /// With an answer of any status but a followed redirect, whole to the last byte.
  case answered(FetchAnswer)
  /// Without one, or with one that was not let through.
  case failed(FetchFailure, attempts: Int)
}

/// The head of an answer, known before its body.
public struct FetchHead: Sendable {
  /// The status code.
  public var status: Int
  /// The header fields.
  public var fields: HTTPFields
  /// The URL that answered; its `text` leaves out user and password.
  public var url: HTTPURL
  /// The length the body will have; nil where the origin does not say.
  public var length: Int64?
}

/// An answer.
public struct FetchAnswer: Sendable {
  /// Status and header fields.
  public let head: FetchHead
  /// When the request that was answered was sent.
  public let asked: Instant
  /// When the answer was whole.
  public let received: Instant
  /// The bytes of the body.
  public let bodyBytes: Int64
  /// The requests it took, redirects and repetitions included.
  public let requests: Int

  /// What the answer means for a stored entry.
  public var status: HTTPStatus { HTTPStatus(head.status) }

  /// The answer as freshness sees it.
  public var freshnessResponse: FreshnessResponse {
    FreshnessResponse(fields: head.fields, asked: asked, received: received)
  }
}
