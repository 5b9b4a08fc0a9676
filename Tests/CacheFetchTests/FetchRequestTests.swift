import CacheFetch
import CacheModel
import CachePlan
import TestSupport
import Testing

@Suite("What is sent", .timeLimit(.minutes(1)))
struct FetchRequestTests {
  private let now = Instant(milliseconds: 1_796_000_000_000)

  private func sent(_ request: (RawOrigin) -> FetchRequest) throws -> (RawOrigin, [UInt8]) {
    let origin = try RawOrigin("HTTP/1.1 304 Not Modified\r\n\r\n")
    _ = try fetch([request(origin)])
    return (origin, origin.requests.first?.bytes ?? [])
  }

  @Test("RFC 9112, 3: a request is these bytes and no others")
  func plain() throws {
    let (origin, bytes) = try sent { FetchRequest(tag: 0, url: $0.url("/a%20b.jpg?w=2#x")) }
    let expected = [
      "GET /a%20b.jpg?w=2 HTTP/1.1", "Host: 127.0.0.1:\(origin.port)", "User-Agent: tests",
      "Accept: */*", "Accept-Encoding: identity", "", "",
    ]
    #expect(String(decoding: bytes, as: UTF8.self) == expected.joined(separator: "\r\n"))
  }

  @Test(
    "RFC 9110, 13.1.2: If-None-Match is the stored tag, byte for byte",
    arguments: [#""v1""#, #"W/"v1""#, #""""#, #""a\b""#, "\"\u{E9}\u{FF}\"", #""6b0d1b85-38""#])
  func ifNoneMatch(_ tag: String) throws {
    let validator = HTTPValidator(
      etag: tag, lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", now: now)
    let (_, bytes) = try sent { FetchRequest(tag: 0, url: $0.url(), validator: validator) }
    let line =
      Array("\r\nIf-None-Match: ".utf8) + tag.unicodeScalars.map { UInt8($0.value) } + [13, 10]
    #expect(bytes.indices.contains { bytes[$0...].starts(with: line) })
    #expect(!String(decoding: bytes, as: UTF8.self).contains("If-Modified-Since"))
  }

  @Test("RFC 9110, 13.1.3: If-Modified-Since is sent where there is no tag")
  func ifModifiedSince() throws {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    let validator = HTTPValidator(etag: "", lastModified: date, now: now)
    let (origin, _) = try sent { FetchRequest(tag: 0, url: $0.url(), validator: validator) }
    #expect(origin.requests[0].values("if-modified-since") == [date])
    #expect(origin.requests[0].values("if-none-match") == [])
  }

  @Test("RFC 9111, 4.1: the headers that an answer varied by are sent again")
  func vary() throws {
    let fields = [
      HTTPRequestField(name: "Accept", value: "image/webp"),
      HTTPRequestField(name: "X-Empty", value: ""),
    ].compactMap { $0 }
    let (origin, _) = try sent { FetchRequest(tag: 0, url: $0.url(), fields: fields) }
    #expect(origin.requests[0].values("accept") == ["image/webp"])
    #expect(origin.requests[0].values("x-empty") == [""])
  }

  @Test("RFC 9110, 4.2.4: user and password go as a credential, not in the target")
  func userInfo() throws {
    let (origin, _) = try sent {
      FetchRequest(tag: 0, url: "http://us%40er:p%3Aw@127.0.0.1:\($0.port)/x")
    }
    // printf 'us@er:p:w' | base64
    #expect(origin.requests[0].values("authorization") == ["Basic dXNAZXI6cDp3"])
    #expect(origin.requests[0].target == "/x")
  }

  @Test("credentials of one request are not those of the next on the same connection")
  func credentialsEnd() throws {
    let origin = try RawOrigin(answer())
    _ = try fetch(
      [
        FetchRequest(tag: 0, url: "http://u:p@127.0.0.1:\(origin.port)/x"),
        FetchRequest(tag: 1, url: origin.url()),
      ], settings { $0.limits.perHost = 1 })
    #expect(origin.requests.map { $0.values("authorization").count } == [1, 0])
  }

  @Test(
    "a URL that could add a header or a request is never sent",
    arguments: [
      "/x HTTP/1.1\r\nX-Evil: 1", "/x\nX-Evil: 1", "/x\r", "/x\u{0}", "/x\t", "\\x",
    ])
  func injection(_ target: String) throws {
    let origin = try RawOrigin(answer())
    let collector = try fetch(origin.url(target))
    if case .url = collector.failure() {} else { Issue.record("\(collector.endings)") }
    #expect(origin.connections == 0)
  }

  @Test("HEAD asks for what would be sent, and wants no body")
  func head() throws {
    let origin = try RawOrigin("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nETag: \"v1\"\r\n\r\n")
    let collector = try fetch([FetchRequest(tag: 0, url: origin.url(), method: .head)])
    #expect(origin.requests[0].head.hasPrefix("HEAD /a.jpg HTTP/1.1\r\n"))
    #expect(collector.answer()?.head.length == 1000)
    #expect(collector.sinks.isEmpty)
  }

  @Test("no cookie that an origin sets is ever sent")
  func cookies() throws {
    let origin = try RawOrigin(answer("200 OK", "Set-Cookie: id=1; Path=/"))
    _ = try fetch((0..<3).map { FetchRequest(tag: $0, url: origin.url()) })
    #expect(origin.requests.count == 3)
    #expect(origin.requests.allSatisfy { $0.values("cookie").isEmpty })
  }

  @Test("a User-Agent that could add a header is refused before anything is asked")
  func userAgent() throws {
    for name in ["a\r\nX-Evil: 1", "a\nb", "a\u{0}b"] {
      #expect(throws: FetchFailure.self) { try Fetcher(FetchSettings(userAgent: name)) }
    }
  }
}
