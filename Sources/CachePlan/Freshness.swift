public import CacheModel

/// What may be done with a stored response now (RFC 9111, 4.2.4; RFC 5861).
public enum Freshness: Sendable, Hashable {
  /// It may be used.
  case fresh
  /// It may be used, and should be asked about meanwhile.
  case staleWhileRevalidate
  /// The origin must be asked before it is used.
  case stale

  /// Judges stored metadata at `now`.
  ///
  /// An entry that says it was checked after `now`, beyond a drift of five minutes, was written under
  /// another clock: its fresh-until means nothing, and it is stale.
  public init(_ metadata: FreshnessMetadata, now: Instant) {
    let isOfOtherClock = metadata.checked > now.after(by: .seconds(300))
    if metadata.terms.alwaysAsk || !metadata.terms.isStorable || isOfOtherClock {
      self = .stale
    } else if now < metadata.freshUntil {
      self = .fresh
    } else {
      let isWithin = Freshness.isWithin(metadata.terms.staleWhileRevalidate, metadata, now)
      self = isWithin && !metadata.terms.mustRevalidate ? .staleWhileRevalidate : .stale
    }
  }

  /// Whether a stale response may be used because its origin failed.
  ///
  /// must-revalidate and no-cache forbid it (RFC 9111, 4.2.4 and 5.2.2.2); stale-if-error bounds it;
  /// where neither is said it is allowed: an old image beats none.
  public static func mayServeOnError(_ metadata: FreshnessMetadata, now: Instant) -> Bool {
    guard !metadata.terms.mustRevalidate, !metadata.terms.alwaysAsk else { return false }
    guard metadata.terms.staleIfError != nil else { return true }
    return now < metadata.freshUntil || isWithin(metadata.terms.staleIfError, metadata, now)
  }

  private static func isWithin(
    _ leave: Duration?, _ metadata: FreshnessMetadata, _ now: Instant
  ) -> Bool {
    leave.map { now < metadata.freshUntil.after(by: $0) } ?? false
  }
}
