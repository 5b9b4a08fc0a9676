import CacheModel
import Testing

@Suite("Keys")
struct KeyTests {
  @Test(
    "a URL loses what does not change the image: case of scheme and host, default port, fragment",
    arguments: [
      ("HTTPS://IMG.Example:443/A.jpg?w=200#top", "https://img.example/A.jpg?w=200"),
      ("http://h:80", "http://h"), ("http://h:8080/", "http://h:8080/"),
      ("https://h:80/x", "https://h:80/x"), ("http://[::1]:80/a", "http://[::1]/a"),
      ("http://u:P@H/a", "http://u:P@h/a"), ("http://h?Q#f", "http://h?Q"),
      ("plain KEY:80#x", "plain KEY:80#x"), ("ftp://H:21/a#b", "ftp://H:21/a#b"),
      ("http:///x", "http:///x"),
    ])
  func normalisation(text: String, key: String) throws {
    #expect(try CacheKey(text).text == key)
  }

  @Test("a key has 1 to 8,192 bytes")
  func length() throws {
    #expect(throws: CacheKey.Invalid.empty) { try CacheKey("") }
    #expect(throws: CacheKey.Invalid.tooLong(8193)) {
      try CacheKey(String(repeating: "k", count: 8193))
    }
    #expect(try CacheKey(String(repeating: "é", count: 4096)).text.utf8.count == 8192)
  }

  @Test("a variant is another key of the same URL")
  func variant() throws {
    let key = try CacheKey("https://H/a", variant: "accept=image/webp")
    #expect(key.text == "https://h/a\naccept=image/webp")
    #expect(key.url == "https://h/a")
    #expect(key.variant == "accept=image/webp")
    #expect(key.host == "h")
  }

  @Test(
    "a name is 64 lower-case hex digits and nothing else",
    arguments: [
      String(repeating: "a", count: 63), String(repeating: "a", count: 65),
      String(repeating: "A", count: 64), String(repeating: "g", count: 64),
      "../" + String(repeating: "a", count: 61), String(repeating: "a", count: 63) + "\u{0}",
      String(repeating: "a", count: 63) + ":", String(repeating: "a", count: 63) + "`", "",
    ])
  func illegalNames(text: String) { #expect(EntryName(text) == nil) }

  @Test("a name keeps its leading zeros")
  func leadingZeros() {
    let text = "00" + String(repeating: "0", count: 61) + "1"
    #expect(EntryName(text)?.description == text)
    #expect(EntryName(text)?.shard.description == "00")
  }
}
