/// A point in time: whole milliseconds since 1970 UTC, as the manifests hold it.
public struct Instant: Sendable, Hashable {
  /// Milliseconds since 1970-01-01T00:00:00Z; negative before it.
  public let milliseconds: Int64

  /// Wraps milliseconds since 1970 UTC.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// The millisecond that holds a `timespec`, which the kernel gives with nanoseconds in 0 ..< 10^9
  /// even before 1970.
  ///
  /// Seconds beyond 64-bit milliseconds stop at the ends.
  public init(seconds: Int64, nanoseconds: Int64) {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    let whole = overflow ? (seconds < 0 ? Int64.min : Int64.max - 1000) : product
    self.init(milliseconds: whole + nanoseconds / 1_000_000)
  }

  /// The instant `duration` before this one, stopping at the ends of time.
  public func before(by duration: Duration) -> Instant { shifted(by: duration, sign: -1) }

  /// The instant `duration` after this one, stopping at the ends of time.
  public func after(by duration: Duration) -> Instant { shifted(by: duration, sign: 1) }

  /// The time from `earlier` to this instant; negative when `earlier` is later.
  public func since(_ earlier: Instant) -> Duration {
    let (difference, overflow) = milliseconds.subtractingReportingOverflow(earlier.milliseconds)
    return .milliseconds(overflow ? (milliseconds < 0 ? Int64.min : Int64.max) : difference)
  }

  private func shifted(by duration: Duration, sign: Int64) -> Instant {
    let (sum, overflow) = milliseconds.addingReportingOverflow(sign * duration.wholeMilliseconds)
    guard overflow else { return Instant(milliseconds: sum) }
    return Instant(milliseconds: milliseconds < 0 ? Int64.min : Int64.max)
  }
}

extension Instant: Comparable {
  /// Orders by time.
  @inlinable
  public static func < (a: Instant, b: Instant) -> Bool { a.milliseconds < b.milliseconds }
}

extension Instant: CustomStringConvertible {
  /// ISO 8601 in UTC with milliseconds: `2026-11-30T06:18:31.250Z`.
  ///
  /// Years outside 0000 to 9999 stop at those ends; the standard has no others without agreement.
  public var description: String {
    let first: Int64 = -62_167_219_200_000
    let last: Int64 = 253_402_300_799_999
    let held = min(max(milliseconds, first), last)
    let (days, inDay) = held.flooredDivision(by: 86_400_000)
    let date = CivilDate(daysSince1970: days)
    func pad(_ value: Int64, _ width: Int) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let time =
      pad(inDay / 3_600_000, 2) + ":" + pad(inDay / 60_000 % 60, 2) + ":"
      + pad(inDay / 1000 % 60, 2) + "." + pad(inDay % 1000, 3)
    return pad(date.year, 4) + "-" + pad(date.month, 2) + "-" + pad(date.day, 2) + "T" + time + "Z"
  }
}

extension Duration {
  /// The duration in whole milliseconds, towards zero, stopping at 2^62.
  public var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let limit: Int64 = 1 << 62
    guard abs(seconds) < limit / 1000 else { return seconds < 0 ? -limit : limit }
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}

extension Int64 {
  /// Quotient and remainder with the remainder in 0 ..< `divisor`, also for negative numbers.
  func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
