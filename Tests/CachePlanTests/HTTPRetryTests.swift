import CacheModel
import CachePlan
import Testing

/// Always the lowest or always the highest number.
struct FixedRandom: RandomNumberGenerator {
  let value: UInt64
  mutating func next() -> UInt64 { value }
}

@Suite("When to ask again, and when not")
struct HTTPRetryTests {
  private let retry = HTTPRetry(
    times: 5, base: .milliseconds(100), longest: .seconds(1), longestAsked: .seconds(60))

  private func wait(_ repetition: Int, _ asked: Duration? = nil, _ random: UInt64) -> Duration {
    var random = FixedRandom(value: random)
    return retry.wait(repetition: repetition, asked: asked, random: &random)
  }

  @Test("the bound doubles with each repetition up to the longest")
  func doubling() {
    let bounds = (1...6).map { wait($0, nil, .max) }
    #expect(bounds == [100, 200, 400, 800, 1000, 1000].map { .milliseconds($0) })
    #expect(wait(1_000_000, nil, .max) == .seconds(1))
  }

  @Test("full jitter: the wait may be nothing")
  func jitter() {
    #expect((1...6).allSatisfy { wait($0, nil, 0) == .zero })
  }

  @Test("RFC 9110, 10.2.3: a Retry-After comes first, and is clamped")
  func asked() {
    #expect(wait(1, .seconds(7), 0) == .seconds(7))
    #expect(wait(1, .seconds(7), .max) == .milliseconds(7100))
    #expect(wait(1, .seconds(7000), 0) == .seconds(60))
    #expect(wait(1, .seconds(-7), 0) == .zero)
  }

  @Test("RFC 9110, 10.2.3: seconds or a date")
  func forms() {
    #expect(HTTPRetry.asked("120", now: today) == .seconds(120))
    #expect(HTTPRetry.asked(" 0 ", now: today) == .seconds(0))
    #expect(HTTPRetry.asked(date(90), now: today) == .seconds(90))
    #expect(HTTPRetry.asked(date(-90), now: today) == .zero)
    #expect(HTTPRetry.asked("99999999999999999999", now: today) == .seconds(2_147_483_648))
    for broken in ["", "-1", "1.5", "soon", "1 s", "0x10"] {
      #expect(HTTPRetry.asked(broken, now: today) == nil)
    }
  }

  @Test("RFC 9110, 15: what a status means for an entry")
  func statuses() {
    let meanings: [(HTTPStatus, [Int])] = [
      (.body, [200]), (.notModified, [304]), (.redirect, [301, 302, 303, 307, 308]),
      (.gone, [404, 410]), (.later, [429, 503]),
      (.refused, [400, 401, 403, 405, 406, 407, 408, 409, 412, 416, 418, 451, 499]),
      (.failing, [500, 501, 502, 504, 507, 520, 599]),
      (
        .unexpected, [0, 100, 101, 103, 201, 202, 203, 204, 205, 206, 226, 300, 305, 306, 600, 999]
      ),
    ]
    for (meaning, codes) in meanings {
      for code in codes { #expect(HTTPStatus(code) == meaning, "\(code)") }
    }
    let transient = (100..<600).filter(HTTPStatus.isTransient)
    #expect(transient == [408, 429, 500, 502, 503, 504])
  }

  @Test("a host that fails ten times in a row is left alone; a success in between starts anew")
  func failing() {
    var health = HTTPHostHealth()
    let rules = HTTPHostRules()
    for _ in 0..<9 { health.record(.failed) }
    #expect(health.verdict(rules) == nil)
    health.record(.served)
    for _ in 0..<9 { health.record(.failed) }
    #expect(health.verdict(rules) == nil)
    health.record(.failed)
    #expect(health.verdict(rules) == .failing(inARow: 10))
    #expect(health.asked == 20 && health.failed == 19)
  }

  @Test("a host that says of nearly everything that it is gone is left alone")
  func goneNearly() {
    var health = HTTPHostHealth()
    for _ in 0..<17 { health.record(.gone) }
    for _ in 0..<2 { health.record(.served) }
    #expect(health.verdict(HTTPHostRules()) == nil)
    health.record(.gone)
    // 18 of 20 are 90 %.
    #expect(health.verdict(HTTPHostRules()) == .goneNearly(gone: 18, of: 20))
    health.record(.served)
    #expect(health.verdict(HTTPHostRules()) == nil)
  }
}
