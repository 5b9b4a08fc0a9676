import CacheModel
import CachePlan
import Testing

@Suite("What a 304 changes")
struct FreshnessUpdateTests {
  private let rules = FreshnessRules()
  private let stored = FreshnessMetadata(
    etag: "\"v1\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", type: "image/jpeg",
    checked: today.before(by: .seconds(9000)), freshUntil: today.before(by: .seconds(8000)),
    lifetime: .seconds(1000), vary: ["accept"])

  private func updated(_ fields: KeyValuePairs<String, String>) -> FreshnessMetadata {
    rules.metadata(stored, confirmedBy: response(fields))
  }

  @Test("RFC 9111, 3.2: a 304 without an ETag keeps the stored one")
  func keeps() {
    let metadata = updated(["Date": date(0)])
    #expect(metadata.etag == "\"v1\"")
    #expect(metadata.lastModified == stored.lastModified)
    #expect(metadata.vary == ["accept"])
    #expect(metadata.checked == today)
  }

  @Test("RFC 9111, 3.2: a 304 with another ETag takes it", arguments: ["etag", "ETag", "ETAG"])
  func takes(_ name: String) {
    var fields = HTTPFields()
    _ = Array("\(name): W/\"v2\"\r\n".utf8).withUnsafeBytes { fields.append(line: $0) }
    let answer = FreshnessResponse(fields: fields, asked: today, received: today)
    #expect(rules.metadata(stored, confirmedBy: answer).etag == "W/\"v2\"")
  }

  @Test("RFC 9110, 5.3: a 304 with two ETags keeps the stored one")
  func two() {
    #expect(updated(["ETag": "\"a\"", "etag": "\"b\""]).etag == "\"v1\"")
  }

  @Test("RFC 9111, 4.3.4: freshness starts anew from the 304")
  func renewed() {
    #expect(updated(["Cache-Control": "max-age=60"]).freshUntil == today.after(by: .seconds(60)))
    #expect(
      updated(["Expires": date(70), "Date": date(0)]).freshUntil == today.after(by: .seconds(70)))
    #expect(updated(["Cache-Control": "no-cache"]).freshUntil == today)
  }

  @Test("RFC 9111, 3.2: a 304 that states no lifetime keeps the one that was stated")
  func keptLifetime() {
    #expect(updated(["Date": date(0)]).freshUntil == today.after(by: .seconds(1000)))
    #expect(updated(["Date": date(0), "Age": "100"]).freshUntil == today.after(by: .seconds(900)))
  }

  @Test("RFC 9111, 3.2: terms that a 304 does not state stay")
  func keptTerms() {
    var strict = stored
    strict.terms.mustRevalidate = true
    let silent = rules.metadata(strict, confirmedBy: response([:]))
    #expect(silent.terms.mustRevalidate)
    let stating = rules.metadata(strict, confirmedBy: response(["Cache-Control": "max-age=5"]))
    #expect(!stating.terms.mustRevalidate)
  }

  @Test("RFC 9111, 3.2: the type belongs to the body, which a 304 does not change")
  func type() {
    #expect(updated(["Content-Type": "text/html"]).type == "image/jpeg")
  }

  @Test("RFC 9111, 4.2.2: a heuristic lifetime is measured anew")
  func heuristic() {
    var old = stored
    old.lifetime = nil
    old.lastModified = date(-1000)
    let metadata = rules.metadata(old, confirmedBy: response(["Date": date(0)]))
    #expect(metadata.freshUntil == today.after(by: .seconds(100)))
  }
}

@Suite("What may be done with a stored response")
struct FreshnessTests {
  private func metadata(
    freshFor seconds: Int64, _ terms: (inout FreshnessTerms) -> Void = { _ in }
  ) -> FreshnessMetadata {
    var metadata = FreshnessMetadata(checked: today, freshUntil: today.after(by: .seconds(seconds)))
    terms(&metadata.terms)
    return metadata
  }

  private func later(_ seconds: Int64) -> Instant { today.after(by: .seconds(seconds)) }

  @Test("RFC 9111, 4.2: fresh up to its time and stale from it on")
  func boundary() {
    let entry = metadata(freshFor: 60)
    #expect(Freshness(entry, now: later(59)) == .fresh)
    #expect(Freshness(entry, now: later(60)) == .stale)
  }

  @Test("RFC 9111, 5.2.2.4: no-cache is asked about however fresh")
  func noCache() {
    let entry = metadata(freshFor: 60) { $0.alwaysAsk = true }
    #expect(Freshness(entry, now: today) == .stale)
    #expect(!Freshness.mayServeOnError(entry, now: today))
  }

  @Test("RFC 5861, 3: stale while it is asked about, within the leave")
  func whileRevalidate() {
    let entry = metadata(freshFor: 60) { $0.staleWhileRevalidate = .seconds(30) }
    #expect(Freshness(entry, now: later(89)) == .staleWhileRevalidate)
    #expect(Freshness(entry, now: later(90)) == .stale)
    let strict = metadata(freshFor: 60) {
      $0.staleWhileRevalidate = .seconds(30)
      $0.mustRevalidate = true
    }
    #expect(Freshness(strict, now: later(61)) == .stale)
  }

  @Test("RFC 5861, 4: stale when the origin fails, within the leave")
  func ifError() {
    let entry = metadata(freshFor: 60) { $0.staleIfError = .seconds(30) }
    #expect(Freshness.mayServeOnError(entry, now: later(89)))
    #expect(!Freshness.mayServeOnError(entry, now: later(90)))
    #expect(Freshness.mayServeOnError(metadata(freshFor: 60), now: later(1_000_000)))
    let strict = metadata(freshFor: 60) { $0.mustRevalidate = true }
    #expect(!Freshness.mayServeOnError(strict, now: later(61)))
  }

  @Test("an entry checked in the future was written under another clock and is stale")
  func otherClock() {
    let entry = metadata(freshFor: 100_000)
    #expect(Freshness(entry, now: today.before(by: .seconds(299))) == .fresh)
    #expect(Freshness(entry, now: today.before(by: .seconds(301))) == .stale)
  }
}
