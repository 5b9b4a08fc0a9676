import CacheModel
import CachePlan
import Testing

/// A response received at `today`, one second after it was asked for.
func response(_ fields: KeyValuePairs<String, String>, delay: Duration = .zero) -> FreshnessResponse
{
  FreshnessResponse(
    fields: HTTPFields(fields), asked: today.before(by: delay), received: today)
}

/// A date so many seconds from `today`.
func date(_ seconds: Int64) -> String { HTTPDate.text(today.after(by: .seconds(seconds))) }

@Suite("How long a response is fresh")
struct FreshnessRulesTests {
  private let rules = FreshnessRules()
  private let shared = FreshnessRules(audience: .shared)

  /// Seconds of freshness left on receipt.
  private func left(
    _ fields: KeyValuePairs<String, String>, delay: Duration = .zero,
    by rules: FreshnessRules? = nil
  ) -> Int64 {
    let metadata = (rules ?? self.rules).metadata(of: response(fields, delay: delay))
    return metadata.freshUntil.since(today).components.seconds
  }

  @Test("RFC 9111, 4.2.1: max-age goes before Expires")
  func maxAge() {
    #expect(left(["Cache-Control": "max-age=60", "Date": date(0), "Expires": date(600)]) == 60)
    #expect(left(["Cache-Control": "max-age=0", "Date": date(0), "Expires": date(600)]) == 0)
  }

  @Test("RFC 9111, 4.2.1: s-maxage is for shared caches alone")
  func sharedMaxAge() {
    let fields: KeyValuePairs = ["Cache-Control": "s-maxage=7, max-age=60"]
    #expect(left(fields) == 60)
    #expect(left(fields, by: shared) == 7)
    #expect(left(["Cache-Control": "s-maxage=7"]) == 0)
  }

  @Test("RFC 9111, 4.2.1: Expires counts from Date, whatever our clock says")
  func expires() {
    #expect(left(["Date": date(0), "Expires": date(90)]) == 90)
    // The origin's clock is an hour ahead: age zero, lifetime 90.
    #expect(left(["Date": date(3600), "Expires": date(3690)]) == 90)
    #expect(left(["Expires": date(90)]) == 90)
    #expect(left(["Date": date(0), "Expires": date(-90)]) == 0)
  }

  @Test(
    "RFC 9111, 5.3: an Expires that is no date is in the past",
    arguments: ["0", "-1", "soon", "", "Sun, 06 Nov 2044 08:49:37 PST"])
  func brokenExpires(_ value: String) {
    let old = date(-864_000)
    // Without Expires this would be fresh by its age.
    #expect(left(["Last-Modified": old, "Date": date(0)]) == 86_400)
    #expect(left(["Last-Modified": old, "Date": date(0), "Expires": value]) == 0)
  }

  @Test("RFC 9111, 4.2.3: the age on receipt is taken off")
  func age() {
    #expect(left(["Cache-Control": "max-age=60", "Date": date(0), "Age": "20"]) == 40)
    #expect(left(["Cache-Control": "max-age=60", "Date": date(-30)]) == 30)
    #expect(left(["Cache-Control": "max-age=60", "Date": date(-30), "Age": "20"]) == 30)
    #expect(left(["Cache-Control": "max-age=60", "Date": date(-30), "Age": "50"]) == 10)
    #expect(left(["Cache-Control": "max-age=60", "Date": date(0), "Age": "100"]) == -40)
  }

  @Test("RFC 9111, 4.2.3: the time on the way counts as age")
  func delay() {
    let fields: KeyValuePairs = ["Cache-Control": "max-age=60", "Age": "20"]
    #expect(left(fields, delay: .seconds(5)) == 35)
    // A clock that was set back between asking and receiving.
    #expect(left(fields, delay: .seconds(-5)) == 40)
  }

  @Test("RFC 9111, 4.2.3: a Date ahead of our clock is no negative age")
  func skew() {
    #expect(left(["Cache-Control": "max-age=60", "Date": date(7200)]) == 60)
  }

  @Test("RFC 9110, 6.6.1: a Date that is broken or doubled counts as the time of receipt")
  func brokenDate() {
    #expect(left(["Cache-Control": "max-age=60", "Date": "yesterday"]) == 60)
    #expect(left(["Cache-Control": "max-age=60", "Date": date(-9), "date": date(-5)]) == 60)
  }

  @Test("RFC 9111, 5.1: of several ages the first counts, and what is no number is ignored")
  func ages() {
    #expect(left(["Cache-Control": "max-age=60", "Age": "10, 20"]) == 50)
    #expect(left(["Cache-Control": "max-age=60", "Age": "10", "age": "50"]) == 50)
    #expect(left(["Cache-Control": "max-age=60", "Age": "-10"]) == 60)
    #expect(left(["Cache-Control": "max-age=60", "Age": "1.5"]) == 60)
    #expect(left(["Cache-Control": "max-age=60", "Age": "99999999999999999999"]) < 0)
  }

  @Test("RFC 9111, 4.2.2: without a stated lifetime, a tenth of the age, a day at most")
  func heuristic() {
    #expect(left(["Date": date(0), "Last-Modified": date(-1000)]) == 100)
    #expect(left(["Date": date(0), "Last-Modified": date(-100_000_000)]) == 86_400)
    #expect(left(["Date": date(0), "Last-Modified": date(1000)]) == 0)
    #expect(left(["Date": date(0), "Last-Modified": "once"]) == 0)
    #expect(left(["Date": date(0)]) == 0)
    let none = FreshnessRules(heuristicShare: 0)
    #expect(left(["Date": date(0), "Last-Modified": date(-1000)], by: none) == 0)
  }

  @Test("RFC 9111, 5.2.2.5: no-store is not kept, and never fresh")
  func noStore() {
    let metadata = rules.metadata(of: response(["Cache-Control": "no-store, max-age=60"]))
    #expect(!metadata.terms.isStorable)
    #expect(metadata.freshUntil == today)
  }

  @Test("RFC 9111, 5.2.2.7: private is not kept by shared caches alone")
  func isPrivate() {
    let fields = response(["Cache-Control": "private, max-age=60"])
    #expect(rules.metadata(of: fields).terms.isStorable)
    #expect(!shared.metadata(of: fields).terms.isStorable)
  }

  @Test("RFC 9111, 5.2.2.4: no-cache is kept, and never fresh")
  func noCache() {
    let metadata = rules.metadata(of: response(["Cache-Control": "no-cache, max-age=60"]))
    #expect(metadata.terms.isStorable && metadata.terms.alwaysAsk)
    #expect(metadata.freshUntil == today)
  }

  @Test("RFC 9111, 5.2.2.8 and 5.2.2.10: proxy-revalidate and s-maxage bind shared caches alone")
  func proxyRevalidate() {
    for value in ["proxy-revalidate", "s-maxage=5"] {
      let fields = response(["Cache-Control": value])
      #expect(!rules.metadata(of: fields).terms.mustRevalidate)
      #expect(shared.metadata(of: fields).terms.mustRevalidate)
    }
    #expect(rules.metadata(of: response(["Cache-Control": "must-revalidate"])).terms.mustRevalidate)
  }

  @Test("RFC 9111, 4.1: Vary is kept by name, and a star means to ask each time")
  func vary() {
    let kept = rules.metadata(of: response(["Vary": "Accept ,, ORIGIN", "vary": "dpr"]))
    #expect(kept.vary == ["accept", "origin", "dpr"])
    let star = rules.metadata(of: response(["Vary": "accept, *", "Cache-Control": "max-age=60"]))
    #expect(star.terms.alwaysAsk && star.freshUntil == today)
  }

  @Test("RFC 8246 and RFC 5861: immutable and the leaves to use it stale are kept")
  func terms() {
    let value = "max-age=1, immutable, stale-while-revalidate=2, stale-if-error=3"
    let terms = rules.metadata(of: response(["Cache-Control": value])).terms
    #expect(terms.isImmutable)
    #expect(terms.staleWhileRevalidate == .seconds(2) && terms.staleIfError == .seconds(3))
  }

  @Test("RFC 9110, 8.3: the media type is kept in lower case, without parameters")
  func type() {
    #expect(rules.metadata(of: response(["Content-Type": "Image/JPEG ; q=1"])).type == "image/jpeg")
    #expect(rules.metadata(of: response(["Content-Type": ""])).type == nil)
    #expect(rules.metadata(of: response([:])).type == nil)
  }

  @Test("the largest numbers do not trap")
  func extremes() {
    let fields: KeyValuePairs = [
      "Cache-Control": "max-age=99999999999999999999", "Age": "99999999999999999999",
      "Last-Modified": "Thu, 01 Jan 0001 00:00:00 GMT", "Date": "Fri, 31 Dec 9999 23:59:59 GMT",
    ]
    #expect(left(fields) == 0)
    let far = FreshnessResponse(
      fields: HTTPFields(fields), asked: Instant(milliseconds: .min),
      received: Instant(milliseconds: .max))
    #expect(rules.metadata(of: far).checked == Instant(milliseconds: .max))
  }
}
