import CacheModel
import CachePlan
import Testing

/// 2026-11-30T00:00:00Z, the day the tests take for today.
let today = Instant(milliseconds: 1_796_000_000_000 - 1_796_000_000_000 % 86_400_000)

@Suite("Dates as HTTP writes them")
struct HTTPDateTests {
  @Test(
    "RFC 9110, 5.6.7: the three forms name the same instant",
    arguments: [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
  func threeForms(_ text: String) {
    // `date -u -d '1994-11-06 08:49:37' +%s` prints 784111777.
    #expect(HTTPDate.instant(text, now: today) == Instant(milliseconds: 784_111_777_000))
  }

  @Test(
    "RFC 9111, 4.2: a date is read without regard to case",
    arguments: ["sun, 06 nov 1994 08:49:37 gmt", "SUN, 06 NOV 1994 08:49:37 GMT"])
  func anyCase(_ text: String) {
    #expect(HTTPDate.instant(text, now: today) == Instant(milliseconds: 784_111_777_000))
  }

  @Test(
    "RFC 9110, 5.6.7: what is out of form is no date",
    arguments: [
      "", "0", "-1", "now", "1994-11-06T08:49:37Z", "784111777", "Sun, 6 Nov 1994 08:49:37 GMT",
      "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
      "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 Nov 1994 08:49:37 GMT GMT",
      "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
      "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
      "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
      "Sun, 06 Foo 1994 08:49:37 GMT", "Sun,06 Nov 1994 08:49:37 GMT",
      "Sun, 06  Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
      "Sun Nov 06 08:49:37 1994 GMT", "Sun, 06 Nov 1994 08:49:37 GMT\u{0}", "Sun, 06 Növ 1994",
    ])
  func broken(_ text: String) {
    #expect(HTTPDate.instant(text, now: today) == nil)
  }

  @Test("RFC 9110, 5.6.7: two digits more than fifty years ahead mean the past century")
  func centuries() throws {
    let near = try #require(HTTPDate.instant("Monday, 01-Jan-76 00:00:00 GMT", now: today))
    let far = try #require(HTTPDate.instant("Monday, 01-Jan-77 00:00:00 GMT", now: today))
    #expect(HTTPDate.text(near).contains("2076"))
    #expect(HTTPDate.text(far).contains("1977"))
  }

  @Test("RFC 9110, 5.6.7: a leap second is the second after it")
  func leapSecond() {
    let leap = HTTPDate.instant("Sat, 31 Dec 2016 23:59:60 GMT", now: today)
    #expect(leap == HTTPDate.instant("Sun, 01 Jan 2017 00:00:00 GMT", now: today))
  }

  @Test("RFC 9110, 5.6.7: what is written is the first form, and reads back the same")
  func writing() {
    let instant = Instant(milliseconds: 784_111_777_000)
    #expect(HTTPDate.text(instant) == "Sun, 06 Nov 1994 08:49:37 GMT")
    for days in stride(from: Int64(-719_000), through: 2_900_000, by: 997) {
      let instant = Instant(milliseconds: days * 86_400_000 + 45_296_000)
      #expect(HTTPDate.instant(HTTPDate.text(instant), now: today) == instant)
    }
    #expect(HTTPDate.text(Instant(milliseconds: .max)).hasSuffix("9999 23:59:59 GMT"))
    #expect(HTTPDate.text(Instant(milliseconds: .min)).contains(" 0000 "))
  }
}
