import CacheFetch
import CachePlan
import TestSupport
import Testing

@Suite("Redirects", .timeLimit(.minutes(1)))
struct FetchRedirectTests {
  private func redirect(_ location: String, _ status: String = "302 Found") -> String {
    answer(status, "Location: \(location)")
  }

  private let validator = HTTPValidator.ifNoneMatch("\"v1\"")

  @Test(
    "RFC 9110, 15.4: each kind is followed, relative or not",
    arguments: ["301", "302", "303", "307", "308"])
  func followed(_ status: String) throws {
    let origin = try RawOrigin(redirect("../b.jpg?x#y", status + " Moved"), answer(body: "abc"))
    let collector = try fetch(origin.url("/d/a.jpg"))
    #expect(origin.requests.map(\.target) == ["/d/a.jpg", "/b.jpg?x"])
    #expect(collector.body() == Array("abc".utf8))
    #expect(collector.answer()?.head.url.text == origin.url("/b.jpg?x"))
    #expect(collector.answer()?.requests == 2)
  }

  @Test("ten hops are followed and an eleventh is not")
  func hops() throws {
    let origin = try RawOrigin { request in
      let next = request.number + 1
      return [
        .send(Array("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /\(next)\r\n\r\n".utf8))
      ]
    }
    let collector = try fetch(origin.url("/0"))
    #expect(collector.failure() == .redirect(.tooMany))
    #expect(origin.requests.map(\.target) == (0...10).map { "/\($0)" })
  }

  @Test("credentials do not cross to another origin, and do not come back")
  func credentials() throws {
    let home = try RawOrigin(answer())
    let other = try RawOrigin(redirect(home.url("/back")))
    let away = try RawOrigin { request in
      let location = request.number == 0 ? "/same" : other.url()
      return [
        .send(
          Array("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: \(location)\r\n\r\n".utf8))
      ]
    }
    let secret = try #require(HTTPRequestField(name: "Cookie", value: "id=1"))
    let open = try #require(HTTPRequestField(name: "Accept", value: "image/*"))
    _ = try fetch([
      FetchRequest(
        tag: 0, url: "http://u:p@127.0.0.1:\(away.port)/", fields: [secret, open])
    ])
    #expect(away.requests.map { $0.values("authorization").count } == [1, 1])
    #expect(away.requests.map { $0.values("cookie").count } == [1, 1])
    for request in other.requests + home.requests {
      #expect(request.values("authorization") == [] && request.values("cookie") == [])
      #expect(request.values("accept") == ["image/*"])
    }
    #expect(other.requests.count == 1 && !home.requests.isEmpty)
  }

  @Test("coming back to the first origin does not bring the credentials back")
  func comingBack() throws {
    let box = Box("")
    let other = try RawOrigin { _ in
      [
        .send(
          Array("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: \(box.value)\r\n\r\n".utf8))
      ]
    }
    let home = try RawOrigin(redirect(other.url()), answer())
    box.value = home.url("/back")
    _ = try fetch("http://u:p@127.0.0.1:\(home.port)/")
    #expect(home.requests.map { $0.values("authorization").count } == [1, 0])
  }

  @Test("a redirect to a private address is refused at the connection, whatever leads there")
  func addresses() throws {
    for target in ["127.0.0.2", "169.254.169.254", "10.0.0.1", "[::1]", "[::ffff:127.0.0.2]"] {
      let origin = try RawOrigin(redirect("http://\(target):9/"))
      let collector = try fetch(origin.url())
      if case .address = collector.failure() {
      } else {
        Issue.record("\(target) \(collector.endings)")
      }
      #expect(origin.requests.count == 1)
    }
  }

  @Test(
    "a redirect to what cannot be asked for is refused",
    arguments: [
      "file:///etc/passwd", "ftp://127.0.0.1/", "http:///x", "http://u:p@127.0.0.1/", "http://\\x",
      "http://1.2.3.4%2f@127.0.0.1/", "gopher://127.0.0.1:70/", "http://2130706433/",
    ])
  func illegal(_ location: String) throws {
    let origin = try RawOrigin(redirect(location))
    if case .redirect = try fetch(origin.url()).failure() {} else { Issue.record("followed") }
    #expect(origin.requests.count == 1)
  }

  @Test("a redirect without a Location, or with two, is refused")
  func locations() throws {
    #expect(try fetch(answering: answer("302 Found")).failure() == .redirect(.noLocation))
    let two = try RawOrigin(answer("302 Found", "Location: /a", "Location: /b"))
    #expect(try fetch(two.url()).failure() == .redirect(.twoLocations))
  }

  @Test("a validator goes to the URL whose answer gave it, and to no other")
  func validators() throws {
    let origin = try RawOrigin { request in
      let isFirst = request.target == "/a"
      return [
        .send(
          Array(
            (isFirst
              ? "HTTP/1.1 302 F\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n"
              : "HTTP/1.1 304 N\r\n\r\n").utf8))
      ]
    }
    _ = try fetch([FetchRequest(tag: 0, url: origin.url("/a"), validator: validator)])
    #expect(origin.requests.map { $0.values("if-none-match").count } == [1, 0])
    _ = try fetch([
      FetchRequest(
        tag: 0, url: origin.url("/a"), validator: validator, validatedURL: origin.url("/b"))
    ])
    #expect(origin.requests.map { $0.values("if-none-match").count } == [1, 0, 0, 1])
  }
}

/// A value that is set once the threads that read it are waiting for it.
final class Box: @unchecked Sendable {
  var value: String
  init(_ value: String) { self.value = value }
}
