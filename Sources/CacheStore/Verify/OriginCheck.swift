internal import CSimdJSON
internal import CacheModel

/// Looks at lines of etag.jsonl for whether they are records.
enum OriginCheck {
  static func isRecord(_ line: LineReader.Line, _ json: JSONReader) -> Bool {
    OriginLine.read(line, with: json) != .damaged
  }

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
