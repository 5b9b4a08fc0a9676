import CacheFetch
import CacheModel
import CachePlan
import TestSupport
import Testing

@Suite("What is made of an answer", .timeLimit(.minutes(1)))
struct FetchAnswerTests {
  @Test(
    "RFC 9110, 15.4.5: a 304 has no body, and its fields are found in any case",
    arguments: ["etag", "ETag", "ETAG"])
  func notModified(_ name: String) throws {
    let origin = try RawOrigin("HTTP/1.1 304 Not Modified\r\n\(name): \"v2\"\r\n\r\n")
    let collector = try fetch(origin.url())
    let answer = try #require(collector.answer())
    #expect(answer.status == .notModified)
    #expect(answer.head.fields.single("etag") == "\"v2\"")
    #expect(collector.sinks.isEmpty)
  }

  @Test("RFC 9111, 4.3.4: a 304 without an ETag, and one with another, renew what is stored")
  func renewal() throws {
    let origin = try RawOrigin(
      "HTTP/1.1 304 Not Modified\r\nCache-Control: max-age=60\r\n\r\n",
      "HTTP/1.1 304 Not Modified\r\nETag: \"v2\"\r\n\r\n")
    let collector = try fetch(
      (0...1).map { FetchRequest(tag: $0, url: origin.url()) }, settings { $0.limits.perHost = 1 })
    let old = Instant(milliseconds: 0)
    let stored = FreshnessMetadata(etag: "\"v1\"", checked: old, freshUntil: old)
    let tags = try [UInt64(0), 1].map { tag in
      let answer = try #require(collector.answer(tag))
      let renewed = FreshnessRules().metadata(stored, confirmedBy: answer.freshnessResponse)
      #expect(renewed.checked > old)
      return renewed.etag
    }
    #expect(tags == ["\"v1\"", "\"v2\""])
  }

  @Test("a body is handed over whole, in every framing")
  func framings() throws {
    let body = String(repeating: "0123456789", count: 5000)
    let chunks =
      "2710\r\n\(body.prefix(10_000))\r\n9c40;x=y\r\n\(body.dropFirst(10_000))\r\n0\r\nX: 1\r\n\r\n"
    let answers = [
      answer(body: body), "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks,
      "HTTP/1.0 200 OK\r\n\r\n" + body,
    ]
    for text in answers {
      let origin = try RawOrigin { _ in [.send(Array(text.utf8)), .close] }
      let collector = try fetch(origin.url())
      #expect(collector.body() == Array(body.utf8))
      #expect(collector.answer()?.bodyBytes == 50_000)
    }
  }

  @Test("RFC 9110, 15.2: interim answers are not the answer")
  func interim() throws {
    let early = "HTTP/1.1 103 Early Hints\r\nETag: \"early\"\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
    let origin = try RawOrigin(early + answer("200 OK", "X: 1", body: "abc"))
    let collector = try fetch(origin.url())
    #expect(collector.body() == Array("abc".utf8))
    #expect(collector.answer()?.head.fields.has("etag") == false)
  }

  @Test("an empty 200 is an answer with an empty body")
  func empty() throws {
    let collector = try fetch(answering: answer())
    #expect(collector.body() == [])
  }

  @Test(
    "the body of any other status is no image, and is not handed over",
    arguments: [
      "201 Created", "203 Other", "206 Partial Content", "226 IM Used", "300 Choices", "400 Bad",
      "401 Unauthorized", "403 Forbidden", "404 Not Found", "410 Gone", "429 Slow", "500 Error",
      "503 Later",
    ])
  func otherStatuses(_ status: String) throws {
    let origin = try RawOrigin(answer(status, "Content-Type: image/png", body: "abc"))
    let collector = try fetch(origin.url())
    #expect(collector.endings == [String(status.prefix(3))])
    #expect(collector.sinks.isEmpty)
  }

  @Test("an error page without end is not read to its end, and its status counts")
  func endlessPage() throws {
    let origin = try RawOrigin { _ in
      [.send(Array("HTTP/1.1 404 Not Found\r\n\r\n".utf8))]
        + Array(repeating: .send([UInt8](repeating: 0x20, count: 65_536)), count: 10_000)
    }
    let collector = try fetch(origin.url())
    #expect(collector.endings == ["404"])
    #expect(try #require(collector.answer()).bodyBytes < 1 << 20)
  }

  @Test("a body that ends early is no answer, and its sink is discarded")
  func cutOff() throws {
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    let starts = [
      "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345",
      "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n",
      chunked + "5\r\n12345\r\n", chunked + "5\r\n123", chunked + "5\r\n12345\r\n0\r\n", chunked,
    ]
    for start in starts {
      for ending in [RawOrigin.Step.close, .reset] {
        let origin = try RawOrigin { _ in
          [.send(Array(start.utf8)), .pause(.milliseconds(20)), ending]
        }
        let collector = try fetch(origin.url())
        #expect(collector.failure() == .cutOff, "\(start.debugDescription) \(ending)")
        #expect(collector.sinks[0]?.map(\.isDiscarded) == [true])
      }
    }
  }

  @Test("an answer that ends within its header is no answer")
  func cutHeader() throws {
    for start in [
      "", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nETag: \"v", "HTTP/1.1 200 OK\r\nX: 1\r\n",
    ] {
      let origin = try RawOrigin { _ in [.send(Array(start.utf8)), .close] }
      let collector = try fetch(origin.url())
      #expect(collector.answer() == nil && collector.failure() != nil, "\(start.debugDescription)")
      #expect(collector.sinks.isEmpty)
    }
  }

  @Test("a content or transfer coding that comes all the same is refused, and counted as that")
  func codings() throws {
    for (field, coding) in [
      ("Content-Encoding: gzip", "gzip"), ("content-encoding: BR", "br"),
      ("Content-Encoding: identity, gzip", "identity, gzip"),
      ("Transfer-Encoding: gzip, chunked", "gzip, chunked"),
    ] {
      let collector = try fetch(answering: "HTTP/1.1 200 OK\r\n\(field)\r\n\r\n0\r\n\r\n")
      #expect(collector.failure() == .coding(coding))
      #expect(collector.sinks.isEmpty)
    }
    let plain = try fetch(answering: answer("200 OK", "Content-Encoding: identity", body: "a"))
    #expect(plain.body() == Array("a".utf8))
  }

  @Test("a body longer than the limit is refused, announced or not")
  func tooLong() throws {
    let small = settings { $0.limits.bodyBytes = 100 }
    let long = String(repeating: "x", count: 101)
    let announced = try fetch(answering: answer(body: long), small)
    #expect(announced.failure() == .bodyTooLong && announced.sinks.isEmpty)
    let origin = try RawOrigin { _ in [.send(Array("HTTP/1.1 200 OK\r\n\r\n\(long)".utf8)), .close]
    }
    let streamed = try fetch(origin.url(), small)
    #expect(streamed.failure() == .bodyTooLong)
    #expect(streamed.sinks[0]?.map(\.isDiscarded) == [true])
    #expect(
      try fetch(answering: answer(body: String(long.dropFirst())), small).body()?.count
        == 100)
  }

  @Test("a sink may refuse, before the body or in it")
  func refusal() throws {
    let origin = try RawOrigin(answer("200 OK", "Content-Type: text/html", body: "<html>"))
    let before = try fetch(origin.url()) { collector in
      collector.wants = { $0.fields.single("content-type") != "text/html" }
    }
    #expect(before.failure() == .refused && before.sinks.isEmpty)
    let within = try fetch(origin.url()) { $0.takes = 3 }
    #expect(within.failure() == .refused && within.sinks[0]?.map(\.isDiscarded) == [true])
  }

  @Test("a header larger than the limits is refused, interim answers and trailers included")
  func headers() throws {
    let few = settings {
      $0.limits.headerLines = 20
      $0.limits.headerBytes = 2000
    }
    let line = "X: 1\r\n"
    let lines = "HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 30) + "\r\n"
    let bytes = "HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 2000) + "\r\n\r\n"
    let interim = String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 30) + answer()
    for text in [lines, bytes, interim] {
      #expect(try fetch(answering: text, few).failure() == .headerTooLarge)
    }
    let trailers =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
      + String(repeating: line, count: 30) + "\r\n"
    #expect(try fetch(answering: trailers, few).failure() == .headerTooLarge)
  }

  @Test(
    "what is not HTTP, or contradicts itself, is refused",
    arguments: [
      "hello\r\n\r\n", "<html></html>", "HTTP/0.9 200 OK\r\n\r\nx", "SSH-2.0-OpenSSH\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
      "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
      "HTTP/1.1 200 OK\r\nX: a\u{0}b\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
    ])
  func malformed(_ text: String) throws {
    let origin = try RawOrigin { _ in [.send(Array(text.utf8)), .close] }
    let collector = try fetch(origin.url())
    #expect(collector.answer() == nil && collector.failure() != nil)
    #expect(collector.body() == nil)
  }
}
