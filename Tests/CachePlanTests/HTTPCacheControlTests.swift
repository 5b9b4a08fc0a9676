import CachePlan
import Testing

@Suite("Cache-Control")
struct HTTPCacheControlTests {
  @Test(
    "RFC 9111, 5.2: names in any case, arguments as token or quoted string",
    arguments: ["max-age=60", "Max-Age=60", "MAX-AGE=\"60\"", " max-age = 60 ", "x, max-age=60,,"])
  func forms(_ value: String) {
    #expect(HTTPCacheControl(value).maxAge == 60)
  }

  @Test(
    "RFC 9111, 4.2.1: a lifetime that is no number makes the response stale",
    arguments: ["max-age", "max-age=", "max-age=-1", "max-age=1.5", "max-age=60s", "max-age='60'"])
  func broken(_ value: String) {
    #expect(HTTPCacheControl(value).maxAge == 0)
  }

  @Test("RFC 9111, 1.2.2: a number beyond 2^31 counts as 2^31")
  func overflow() {
    for text in ["2147483649", "99999999999", "99999999999999999999999999999"] {
      #expect(HTTPCacheControl("max-age=\(text)").maxAge == 2_147_483_648)
    }
  }

  @Test("RFC 9111, 4.2.1: of a directive that stands twice the first counts")
  func twice() {
    #expect(HTTPCacheControl("max-age=10, max-age=20").maxAge == 10)
    #expect(HTTPCacheControl("max-age=x, max-age=20").maxAge == 0)
  }

  @Test("RFC 9111, 5.2.3: unknown directives are skipped, quoted commas are no ends")
  func unknown() {
    let control = HTTPCacheControl(
      #"community="UCI, max-age=5, \" no-store", no-transform, s-maxage=7"#)
    #expect(control.maxAge == nil)
    #expect(!control.noStore)
    #expect(control.sharedMaxAge == 7)
  }

  @Test("RFC 9111, 5.2.2: each directive is read")
  func all() {
    let control = HTTPCacheControl(
      "no-store, no-cache, must-revalidate, proxy-revalidate, private, public, immutable, "
        + "stale-while-revalidate=3, stale-if-error=4")
    #expect(control.noStore && control.noCache && control.mustRevalidate)
    #expect(control.proxyRevalidate && control.isPrivate && control.isPublic && control.isImmutable)
    #expect(control.staleWhileRevalidate == 3 && control.staleIfError == 4)
    #expect(control.maxAge == nil && control.sharedMaxAge == nil)
  }

  @Test("RFC 9111, 5.2.2.4: no-cache for some fields counts as no-cache")
  func qualified() {
    #expect(HTTPCacheControl(#"no-cache="set-cookie", max-age=60"#).noCache)
  }

  @Test(
    "a value without an end is read to its end", arguments: ["max-age=\"60", "\"", "=", ",", "\\"])
  func unfinished(_ value: String) {
    #expect(HTTPCacheControl(value).noStore == false)
  }
}
