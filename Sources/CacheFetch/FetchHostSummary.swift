public import CachePlan

/// What one origin's answers add up to.
public struct FetchHostSummary: Sendable {
  /// The origin.
  public let origin: HTTPOrigin
  /// Its answers and failures.
  public let health: HTTPHostHealth
  /// Why it was left alone; nil: it was not.
  public let verdict: HTTPHostVerdict?
}
