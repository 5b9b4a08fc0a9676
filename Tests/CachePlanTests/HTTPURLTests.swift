import CachePlan
import Testing

@Suite("URLs that can be asked for")
struct HTTPURLTests {
  @Test("RFC 9110, 4.2.3: scheme and host in lower case, the scheme's own port left out")
  func normal() throws {
    let url = try HTTPURL("HTTPS://Img.Example:443/A.jpg?w=200&x=%2F#part")
    #expect(url.text == "https://img.example/A.jpg?w=200&x=%2F")
    #expect(url.origin.port == 443)
    #expect(try HTTPURL("http://h:8080").text == "http://h:8080/")
    #expect(try HTTPURL("http://h?q").text == "http://h/?q")
    #expect(try HTTPURL("http://h:/").text == "http://h/")
    #expect(try HTTPURL("http://h:80/").origin == HTTPURL("http://H").origin)
    #expect(try HTTPURL("http://h/").origin != HTTPURL("https://h/").origin)
  }

  @Test("RFC 3986, 3.3: dots in the path of a key stay as they are")
  func dots() throws {
    #expect(try HTTPURL("http://h/a/../b/./c").target == "/a/../b/./c")
  }

  @Test("RFC 3986, 2.1: what a request line cannot hold is percent-encoded")
  func encoding() throws {
    #expect(
      try HTTPURL("http://h/a b\"<>^`{|}é%20?ü=ß").target
        == "/a%20b%22%3C%3E%5E%60%7B%7C%7D%C3%A9%20?%C3%BC=%C3%9F")
  }

  @Test("RFC 3986, 3.2.1: user and password are taken off what is sent and shown")
  func userInfo() throws {
    let url = try HTTPURL("http://us%40er:p%3aw@h/x")
    #expect(url.text == "http://h/x")
    #expect(url.credentials?.user == Array("us@er".utf8))
    #expect(url.credentials?.password == Array("p:w".utf8))
    #expect(try HTTPURL("http://user@h/x").credentials?.password == [])
    #expect(try HTTPURL("http://@h/x").credentials == nil)
  }

  @Test(
    "what programs read in different ways is refused",
    arguments: [
      ("", HTTPURLFault.notHTTP), ("x", .notHTTP), ("/a.jpg", .notHTTP), ("ftp://h/x", .notHTTP),
      ("file:///etc/passwd", .notHTTP), ("javascript:x", .notHTTP), (" http://h/x", .notHTTP),
      ("http:h", .noHost), ("http:/h", .noHost), ("http:///x", .noHost), ("http://", .noHost),
      ("http://:80/", .noHost), ("http://?x", .noHost), ("http://u:p@/x", .noHost),
      ("http://h/\r\nX: 1", .control), ("http://h/\tx", .control), ("ht\ntp://h/x", .control),
      ("http://h/\u{0}", .control), ("http://h/\u{7F}", .control),
      ("http://h\\x", .backslash), ("http:\\\\h\\x", .backslash), ("http://h/a\\..\\b", .backslash),
      ("http://1.2.3.4%2f@other/", .userInfo), ("http://a@b@c/", .userInfo),
      ("http://a%5cb@c/", .userInfo), ("http://a%0d@c/", .userInfo), ("http://a%@c/", .userInfo),
      ("http://a b@c/", .userInfo), ("http://ü@c/", .userInfo),
      ("http://bücher.example/", .international), ("http://h\u{3002}example/", .international),
      ("http://h%2fx/", .host), ("http://a b/", .host), ("http://a..b/", .host),
      ("http://.a/", .host), ("http://a,b/", .host), ("http://[::1/", .port),
      ("http://[1.2.3.4]/", .host), ("http://[::1%25lo]/", .host), ("http://[]/", .host),
      ("http://2130706433/", .host), ("http://0x7f000001/", .host), ("http://127.1/", .host),
      ("http://0177.0.0.1/", .host), ("http://1.2.3.4.5/", .host), ("http://1.2.3.256/", .host),
      ("http://1.2.3.0x4/", .host), ("http://127.0.0.1./", .host), ("http://h.0x/", .host),
      ("http://h:0/", .port), ("http://h:65536/", .port), ("http://h:-1/", .port),
      ("http://h:8o/", .port), ("http://[::1]x:80/", .host), ("http://h:80:80/", .port),
    ])
  func refused(_ text: String, _ fault: HTTPURLFault) {
    #expect(throws: fault) { try HTTPURL(text) }
  }

  @Test("a host is a name, four octets, or an IPv6 address in brackets")
  func hosts() throws {
    for host in [
      "a-b_c.example", "xn--bcher-kva.example", "h.", "127.0.0.1", "[2001:db8::1]", "1a",
    ] {
      #expect(try HTTPURL("http://\(host)/").origin.host == host)
    }
    #expect(try HTTPURL("http://[::1]:81/x").origin.port == 81)
  }

  @Test("longer than any server takes is refused")
  func length() throws {
    #expect(throws: HTTPURLFault.tooLong) {
      try HTTPURL("http://h/" + String(repeating: "x", count: 16_384))
    }
  }
}

@Suite("References and redirects")
struct HTTPRedirectTests {
  @Test(
    "RFC 3986, 5.4: the examples",
    arguments: [
      ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d;p?y"),
      ("g?y", "/b/c/g?y"), ("#s", "/b/c/d;p?q"), ("g#s", "/b/c/g"), (";x", "/b/c/;x"),
      ("g;x", "/b/c/g;x"), ("", "/b/c/d;p?q"), (".", "/b/c/"), ("./", "/b/c/"), ("..", "/b/"),
      ("../", "/b/"), ("../g", "/b/g"), ("../..", "/"), ("../../g", "/g"), ("../../../g", "/g"),
      ("/./g", "/g"), ("/../g", "/g"), ("g.", "/b/c/g."), (".g", "/b/c/.g"), ("..g", "/b/c/..g"),
      ("./../g", "/b/g"), ("./g/.", "/b/c/g/"), ("g/./h", "/b/c/g/h"), ("g/../h", "/b/c/h"),
      ("g?y/../x", "/b/c/g?y/../x"), ("g;x=1/../y", "/b/c/y"), (" g ", "/b/c/g"),
    ])
  func examples(_ reference: String, _ target: String) throws {
    #expect(try HTTPURL("http://a/b/c/d;p?q").resolving(reference).target == target)
  }

  @Test("RFC 3986, 5.2.2: a reference with an authority leaves user and password behind")
  func authority() throws {
    let base = try HTTPURL("http://u:p@a/b")
    #expect(try base.resolving("c").userInfo == "u:p")
    #expect(try base.resolving("//other/c").text == "http://other/c")
    #expect(try base.resolving("//other/c").userInfo == nil)
    #expect(try base.resolving("https://other/x/../y").text == "https://other/y")
    #expect(try base.resolving("http://a/c").userInfo == nil)
  }

  private func next(_ from: String, _ locations: String..., hop: Int = 1) throws -> String {
    try HTTPRedirect.next(from: HTTPURL(from), locations: locations, hop: hop).text
  }

  @Test("RFC 9110, 15.4: at most ten hops")
  func hops() throws {
    #expect(try next("http://a/", "/b", hop: 10) == "http://a/b")
    #expect(throws: HTTPRedirectFault.tooMany) { try next("http://a/", "/b", hop: 11) }
  }

  @Test("from https to http is refused, the other way is not")
  func downgrade() throws {
    #expect(throws: HTTPRedirectFault.downgrade) { try next("https://a/", "http://a/") }
    #expect(try next("http://a/", "https://a/x") == "https://a/x")
  }

  @Test(
    "RFC 9110, 10.2.2: a Location that cannot be asked for is refused",
    arguments: [
      "file:///etc/passwd", "http:///x", "http://h\\x", "http://2130706433/", "gopher://h",
    ])
  func illegal(_ location: String) {
    #expect(throws: HTTPRedirectFault.self) { try next("http://a/", location) }
  }

  @Test("a Location with a password, two Locations, or none are refused")
  func odd() throws {
    #expect(throws: HTTPRedirectFault.userInfo) { try next("http://a/", "http://u:p@b/") }
    #expect(throws: HTTPRedirectFault.twoLocations) { try next("http://a/", "/b", "/c") }
    #expect(throws: HTTPRedirectFault.noLocation) { try next("http://a/") }
    #expect(try next("http://a/", "/b", "/b") == "http://a/b")
  }
}
