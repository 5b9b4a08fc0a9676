import CacheModel
import CachePlan
import Testing

@Suite("Validators")
struct HTTPValidatorTests {
  @Test(
    "RFC 9110, 8.8.3: legal tags are kept byte for byte",
    arguments: [
      #""v1""#, #"W/"v1""#, #""""#, #"W/"""#, #""a\b""#, #""'!#$%&()*+,-./:;<=>?@[]^_`{|}~""#,
      "\"\u{80}\u{FF}\"", #""W/""#, #""a-gzip""#,
    ])
  func legal(_ text: String) throws {
    let tag = try #require(HTTPEntityTag(text))
    #expect(tag.text == text)
    #expect(tag.isWeak == text.hasPrefix("W/"))
    #expect(HTTPValidator(etag: text, lastModified: nil, now: today) == .ifNoneMatch(text))
  }

  @Test(
    "RFC 9110, 8.8.3: illegal tags are never sent",
    arguments: [
      "", "*", "v1", "\"", "\"v1", "v1\"", "'v1'", #"w/"v1""#, #"W/ "v1""#, #" "v1""#, #""a b""#,
      #""a"b""#, #""v1", "v2""#, "\"a\tb\"", "\"a\r\nX: y\"", "\"a\u{0}\"", "\"\u{7F}\"",
      "\"\u{100}\"",
      "W/", "W/\"", "W/v1",
    ])
  func illegal(_ text: String) {
    #expect(HTTPEntityTag(text) == nil)
    #expect(HTTPValidator(etag: text, lastModified: nil, now: today) == nil)
  }

  @Test("RFC 9110, 8.8.3.2: weak comparison looks at the opaque part alone")
  func comparison() throws {
    let strong = try #require(HTTPEntityTag(#""1""#))
    let weak = try #require(HTTPEntityTag(#"W/"1""#))
    let other = try #require(HTTPEntityTag(#"W/"2""#))
    #expect(strong.matches(weak) && weak.matches(strong) && weak.matches(weak))
    #expect(!strong.matches(other) && !weak.matches(other))
  }

  @Test("RFC 9110, 13.1.3: the date is asked with where there is no legal tag")
  func dates() {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    let none = HTTPValidator(etag: nil, lastModified: date, now: today)
    #expect(none == .ifModifiedSince(date))
    #expect(HTTPValidator(etag: "v1", lastModified: date, now: today) == .ifModifiedSince(date))
    #expect(HTTPValidator(etag: #""v1""#, lastModified: date, now: today)?.name == "If-None-Match")
    #expect(HTTPValidator(etag: nil, lastModified: "yesterday", now: today) == nil)
    #expect(HTTPValidator(etag: nil, lastModified: nil, now: today) == nil)
  }

  @Test("RFC 9110, 5.6.7: a date received in an old form is sent in the one that may be sent")
  func oldForm() {
    let old = HTTPValidator(etag: nil, lastModified: "Sun Nov  6 08:49:37 1994", now: today)
    #expect(old?.value == "Sun, 06 Nov 1994 08:49:37 GMT")
  }

  @Test(
    "RFC 9110, 5.5: a stored value cannot add a header or a request",
    arguments: [
      ("Accept", "image/*\r\nX-Evil: 1"), ("Accept", "a\nb"), ("Accept", "a\rb"),
      ("Accept", "a\u{0}b"), ("Accept", "a\u{7F}"), ("Accept", "\u{1B}[0m"), ("Acc ept", "a"),
      ("Accept:", "a"), ("", "a"), ("Accept\r\nX", "a"), ("Äccept", "a"), ("Accept", "\u{2028}"),
      ("Host", "evil"), ("Content-Length", "5"), ("transfer-encoding", "chunked"),
      ("If-None-Match", "*"), ("Range", "bytes=0-1"), ("Accept-Encoding", "gzip"),
    ])
  func injection(_ name: String, _ value: String) {
    #expect(HTTPRequestField(name: name, value: value) == nil)
  }

  @Test("RFC 9110, 5.5: a value goes out as the bytes it came in as")
  func octets() throws {
    let field = try #require(HTTPRequestField(name: "X-Name", value: " a\tb\u{E9} "))
    #expect(field.line == Array("X-Name: a\tb".utf8) + [0xE9])
    let empty = try #require(HTTPRequestField(name: "X-Empty", value: ""))
    // libcurl's way to write a header without a value.
    #expect(empty.line == Array("X-Empty;".utf8))
  }
}
