import CacheModel
import Testing

@Suite("URLs without their secrets")
struct MaskedURLTests {
  @Test(
    "user, password and secret parameters are replaced",
    arguments: [
      (
        "http://u:pw@127.0.0.1:1/x?X-Amz-Signature=zzz",
        "http://***@127.0.0.1:1/x?X-Amz-Signature=***"
      ),
      ("https://user@h/x", "https://***@h/x"),
      ("https://a@b:c@h/x", "https://***@h/x"),
      ("https://h/x?w=200&TOKEN=abc&h=1", "https://h/x?w=200&TOKEN=***&h=1"),
      ("https://h/x?%74oken=abc", "https://h/x?%74oken=***"),
      (
        "https://h/x?to%6Ben=abc;sig=1#access_token=2",
        "https://h/x?to%6Ben=***;sig=***#access_token=***"
      ),
      (
        "https://h/x?Policy=a&Key-Pair-Id=b&Expires=1",
        "https://h/x?Policy=***&Key-Pair-Id=***&Expires=***"
      ),
      ("https://h/x?X-Goog-Credential=a%2Fb", "https://h/x?X-Goog-Credential=***"),
      (
        "https://h/x?api_key=a&apikey=b&key=c&auth=d",
        "https://h/x?api_key=***&apikey=***&key=***&auth=***"
      ),
      ("https://h/x?my_refresh_token=a", "https://h/x?my_refresh_token=***"),
      ("https://h/x?token=a=b", "https://h/x?token=***"),
      ("https://h/x?s=0123456789abcdef&w=1", "https://h/x?s=***&w=1"),
      ("https://h/x?a?token=b", "https://h/x?a?token=***"),
      ("/a.jpg?token=b", "/a.jpg?token=***"),
      ("//u:p@h/x", "//***@h/x"),
      ("https://h/x?token=b\naccept=image/webp", "https://h/x?token=***\naccept=image/webp"),
      ("https://proxy/http://u:p@h/x", "https://proxy/http://***@h/x"),
      ("https://proxy/http:/u:p@h/x", "https://proxy/http:/***@h/x"),
      ("https://proxy/http%3A%2F%2Fu%3Ap%40h%2Fx/y", "https://proxy/***/y"),
      ("https://proxy/?url=http%3A%2F%2Fh%2Fx%3Ftoken%3D1&w=2", "https://proxy/?url=***&w=2"),
      ("https://proxy/?url=http%3A%2F%2Fh%2Fx&w=2", "https://proxy/?url=http%3A%2F%2Fh%2Fx&w=2"),
      ("http:\\\\u:p@h\\x", "http:\\\\***@h\\x"),
      ("http:u:p@h/x", "http:***@h/x"),
      ("http:/u:p@h/x", "http:/***@h/x"),
      ("http://u:pa/ss@h/x", "http://***@h/x"),
      ("HTTPS://u:p@h", "HTTPS://***@h"),
      ("http://h\\u:p@x/", "http://***@x/"),
    ])
  func masked(_ text: String, _ expected: String) {
    #expect(maskedURL(text) == expected)
  }

  @Test(
    "what holds no secret stays as it is",
    arguments: [
      "", "x", "http://h/x", "http://h:80/a@2x.png", "http://[::1]:80/a@2x.png", "avatar:42",
      "what?key=1", "user:pw@host", "https://h/x?w=200&s=64&token", "https://h/x?token=",
      "https://h/?x=%zz%", "a b\u{0}\n", "https://h/päth?q=ü", "mailto:a@b", "/a@2x.png", "?", "#",
      "http://", "data:image/png;base64,AAAA",
    ])
  func kept(_ text: String) {
    #expect(maskedURL(text) == text)
  }

  @Test("no text, however broken, is refused, and masking twice is masking once")
  func hostile() {
    var random = SystemRandomNumberGenerator()
    let seed = random.next()
    var state = seed
    let pieces = [
      "http", ":", "/", "//", "@", "?", "&", "=", "#", ";", "%", "%4", "%40", "\\", "\u{0}",
      "token", "é", "[", "]", "x",
    ]
    for _ in 0..<1000 {
      var text = ""
      for _ in 0..<12 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text += pieces[Int(state >> 33) % pieces.count]
      }
      let once = maskedURL(text)
      #expect(maskedURL(once) == once, "seed \(seed): \(text)")
    }
  }
}
