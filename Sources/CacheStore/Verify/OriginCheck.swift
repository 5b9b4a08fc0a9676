internal import CSimdJSON
internal import CacheModel

/// Looks at lines of etag.jsonl for whether they are records, without making one.
enum OriginCheck {
  @inline(__always)
  static func isRecord(_ line: LineReader.Line, _ json: JSONReader) -> Bool {
    isCanonical(line) || OriginLine.read(line, with: json) != .damaged
  }

  /// Whether a line is as `LineWriter` writes them, in plain ASCII, and its key is the name's.
  ///
  /// False says nothing: such a line goes through the parser.
  @inline(__always)
  private static func isCanonical(_ line: LineReader.Line) -> Bool {
    guard !line.isTooLong, LineSum.verdict(on: line.bytes) == .right else { return false }
    var cursor = LineCursor(line.bytes)
    guard cursor.skip("{\"name\":\""), let name = cursor.name(), cursor.skip("\",\"key\":\""),
      let key = cursor.string(escapes: false), (1...CacheKey.longest).contains(key.count)
    else { return false }
    if cursor.skip(",\"url\":\""), cursor.string(escapes: true) == nil { return false }
    if cursor.skip(",\"xxh128\":\"") {
      guard cursor.hexWord() != nil, cursor.hexWord() != nil, cursor.skip("\"") else {
        return false
      }
    }
    for member in texts where cursor.skip(member) {
      if cursor.string(escapes: true) == nil { return false }
    }
    guard cursor.skip(",\"checked\":"), cursor.decimal() != nil else { return false }
    if cursor.skip(",\"fresh_until\":"), cursor.decimal() == nil { return false }
    return cursor.skip(",\"sum\":\"") && EntryName(hashing: key) == name
  }

  /// The members that are texts, in the order in which `LineWriter` writes them.
  private static let texts: [StaticString] = [
    ",\"etag\":\"", ",\"last_modified\":\"", ",\"type\":\"", ",\"vary\":\"",
  ]

  /// What is wrong with a line, where it is the key.
  static func cause(_ line: LineReader.Line, _ json: JSONReader) -> BadLines.Cause? {
    guard !line.isTooLong, LineSum.verdict(on: line.bytes) != .wrong,
      let members = json.members(of: line.bytes),
      let name = members.first(where: { $0.isNamed("name") })?.textBytes
        .flatMap({ EntryName(hexDigits: $0) }),
      let key = members.first(where: { $0.isNamed("key") })?.stringValue
        .flatMap({ try? CacheKey(recorded: $0) })
    else { return nil }
    return key.name == name ? nil : .wrongKey
  }
}
