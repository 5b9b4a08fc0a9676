import CacheModel
import Testing

@Suite("Instants")
struct InstantTests {
  // date -u -d @1764480000 +%FT%TZ
  @Test(
    "the text is ISO 8601 in UTC",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (1_764_480_000_123, "2025-11-30T05:20:00.123Z"),
      (-1, "1969-12-31T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (Int64.max, "9999-12-31T23:59:59.999Z"), (Int64.min, "0000-01-01T00:00:00.000Z"),
    ])
  func text(milliseconds: Int64, text: String) {
    #expect("\(Instant(milliseconds: milliseconds))" == text)
  }

  @Test("arithmetic stops at the ends of time")
  func ends() {
    let last = Instant(milliseconds: .max)
    #expect(last.after(by: .seconds(1)) == last)
    #expect(Instant(milliseconds: .min).before(by: .seconds(1)).milliseconds == .min)
    #expect(Instant(seconds: .max, nanoseconds: 0) > Instant(milliseconds: .max - 2000))
  }

  @Test("a time before 1970 falls into the millisecond that holds it")
  func beforeEpoch() {
    #expect(Instant(seconds: -1, nanoseconds: 999_500_000).milliseconds == -1)
  }

  @Test("days and dates are each other's inverse")
  func calendar() {
    for day: Int64 in stride(from: -1_000_000, through: 3_000_000, by: 997) {
      #expect(CivilDate(daysSince1970: day).daysSince1970 == day)
    }
  }
}
