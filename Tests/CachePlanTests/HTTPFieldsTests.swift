import CachePlan
import Testing

@Suite("Header fields")
struct HTTPFieldsTests {
  private func fields(_ lines: String...) -> HTTPFields {
    var fields = HTTPFields()
    for line in lines {
      line.utf8.withContiguousStorageIfAvailable {
        _ = fields.append(line: UnsafeRawBufferPointer($0))
      }
    }
    return fields
  }

  @Test("RFC 9110, 5.1: names are found in any case", arguments: ["etag", "ETag", "ETAG", "eTaG"])
  func anyCase(_ name: String) {
    let fields = fields("\(name): \"v1\"\r\n")
    #expect(fields.single("ETag") == "\"v1\"")
    #expect(fields.single("etag") == "\"v1\"")
    #expect(fields.all.first?.name == "etag")
  }

  @Test("RFC 9110, 5.3: repeated fields are one list, in order")
  func repeated() {
    let fields = fields("Vary: accept\r\n", "X: 1", "vary: User-Agent , Origin\r\n")
    #expect(fields.list("vary") == "accept, User-Agent , Origin")
    #expect(fields.values("vary") == ["accept", "User-Agent , Origin"])
    #expect(fields.count == 3)
  }

  @Test("RFC 9110, 5.3: a field that may stand once and stands twice counts if both agree")
  func contradiction() {
    #expect(fields("etag: \"a\"", "ETag: \"a\"").single("etag") == "\"a\"")
    #expect(fields("etag: \"a\"", "etag: \"b\"").single("etag") == nil)
    #expect(fields("etag: \"a\"", "etag: \"b\"").has("etag"))
    #expect(fields("x: 1").single("etag") == nil)
  }

  @Test("RFC 9110, 5.5: blanks around a value are not part of it")
  func blanks() {
    #expect(fields("ETag:\t \"v 1\" \t\r\n").single("etag") == "\"v 1\"")
    #expect(fields("X-Empty:\r\n").single("x-empty") == "")
  }

  @Test("RFC 9110, 5.5: bytes beyond ASCII come out as the code points of the same number")
  func octets() {
    var fields = HTTPFields()
    let line: [UInt8] = Array("ETag: \"".utf8) + [0xC3, 0xA9, 0xFF] + Array("\"\r\n".utf8)
    #expect(line.withUnsafeBytes { fields.append(line: $0) })
    #expect(fields.single("etag") == "\"\u{C3}\u{A9}\u{FF}\"")
  }

  @Test("RFC 9112, 5.2: a folded value is one value")
  func folds() {
    #expect(fields("Cache-Control: a,\r\n", "\t  b\r\n").list("cache-control") == "a, b")
    #expect(fields(" begins with a blank").count == 0)
  }

  @Test(
    "RFC 9112, 5.1: what is no field is left out, with its folds",
    arguments: ["no colon", "Blank : 1", ": 1", "N\u{0}: 1", "X: a\u{0}b", "X: a\rb", "(): 1"])
  func illegal(_ line: String) {
    let fields = fields("Good: 1", line, "  folded", "Also: 2")
    #expect(fields.all.map(\.name) == ["good", "also"])
    #expect(fields.single("good") == "1")
  }

  @Test("a value that is emptied can be filled again")
  func reuse() {
    var fields = fields("ETag: \"v1\"")
    fields.removeAll()
    #expect(fields.count == 0 && fields.single("etag") == nil)
  }
}
