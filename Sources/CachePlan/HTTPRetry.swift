public import CacheModel

/// When a request that failed is made again.
public struct HTTPRetry: Sendable, Hashable {
  /// How often a request is made again; 0: never.
  public var times: Int
  /// The longest wait before the first repetition; it doubles with each further one.
  public var base: Duration
  /// What the doubling stops at.
  public var longest: Duration
  /// The longest Retry-After that is waited for; a host that asks for more is left alone.
  public var longestAsked: Duration

  /// Twice, after up to 0.5 and 1 s; at most 30 s; a Retry-After of up to two minutes.
  public init(
    times: Int = 2, base: Duration = .milliseconds(500), longest: Duration = .seconds(30),
    longestAsked: Duration = .seconds(120)
  ) {
    self.times = times
    self.base = base
    self.longest = longest
    self.longestAsked = longestAsked
  }

  /// The wait before repetition number `repetition`, 1 being the first: anywhere between nothing
  /// and the doubled base ("full jitter"), so that many clients that failed together do not come
  /// back together.
  ///
  /// With `asked`, an origin's Retry-After, that comes first and the jitter after it.
  public func wait(
    repetition: Int, asked: Duration?, random: inout some RandomNumberGenerator
  ) -> Duration {
    let doubled = base.wholeMilliseconds << Int64(min(max(repetition, 1) - 1, 20))
    let most = max(0, min(doubled, longest.wholeMilliseconds))
    // One draw and no second, whatever the generator gives; the bias is beyond measure.
    let drawn = random.next().multipliedFullWidth(by: UInt64(most) + 1).high
    let jitter = Duration.milliseconds(drawn)
    return (asked.map { min(max($0, .zero), longestAsked) } ?? .zero) + jitter
  }

  /// What a Retry-After asks for, from `now`, never negative (RFC 9110, 10.2.3); nil where it is
  /// neither seconds nor a date.
  public static func asked(_ value: String, now: Instant) -> Duration? {
    if let seconds = HTTPText.number(HTTPText.trimmed(Array(value.utf8))) {
      return .seconds(min(seconds, HTTPCacheControl.largestDelta))
    }
    return HTTPDate.instant(value, now: now).map { max(.zero, $0.since(now)) }
  }
}
