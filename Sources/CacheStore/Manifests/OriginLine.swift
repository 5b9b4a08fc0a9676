internal import CSimdJSON
internal import CacheModel
internal import Glibc

/// What one line of etag.jsonl says.
enum OriginLine: Equatable {
  case stored(EntryName, OriginRecord)
  case removed(EntryName)
  case damaged

  /// The name in a line that begins as this library's lines do, found without parsing.
  @inline(__always)
  static func leadingName(of line: UnsafeRawBufferPointer) -> EntryName? {
    var cursor = LineCursor(line)
    guard cursor.skip("{\"name\":\"") else { return nil }
    return cursor.name()
  }

  static func read(_ line: LineReader.Line, with json: JSONReader) -> OriginLine {
    if line.isTooLong { return .damaged }
    return read(line.bytes, with: json)
  }

  /// Reads a line, which must be readable `CACHECTL_JSON_PADDING` beyond its end.
  static func read(_ line: UnsafeRawBufferPointer, with json: JSONReader) -> OriginLine {
    let sum = LineSum.verdict(on: line)
    guard sum != .wrong, let members = json.members(of: line) else { return .damaged }
    var draft = Draft()
    for member in members where !draft.take(member) { return .damaged }
    return draft.hasSum == (sum == .right) ? draft.line : .damaged
  }
}

extension LineWriter {
  /// Whether what was written is one line that reads as `record`: further members come from programs
  /// that may not know what JSON is.
  func holds(_ name: EntryName, _ record: OriginRecord) -> Bool {
    guard bytes.firstIndex(of: 0x0a) == bytes.count - 1 else { return false }
    let padded = bytes + [UInt8](repeating: 0, count: Int(CACHECTL_JSON_PADDING))
    let read = padded.withUnsafeBytes { padded in
      OriginLine.read(
        UnsafeRawBufferPointer(rebasing: padded[..<(bytes.count - 1)]), with: JSONReader())
    }
    guard case .stored(name, let read) = read else { return false }
    return read.key == record.key && read.others.map(\.name) == record.others.map(\.name)
  }
}

/// A record while its members come in.
private struct Draft {
  var name: EntryName?
  var key, url, etag, lastModified, type, vary, terms: String?
  var checked, freshUntil, removed: Int64?
  var hash: ContentHash?
  var others: [OriginRecord.Member] = []
  var hasSum = false

  mutating func take(_ member: cachectl_json_member) -> Bool {
    if member.isNamed("name") {
      return Self.set(&name, member.textBytes.flatMap { EntryName(hexDigits: $0) })
    }
    if member.isNamed("key") { return Self.set(&key, member.stringValue) }
    if member.isNamed("url") { return Self.set(&url, member.stringValue) }
    if member.isNamed("xxh128") {
      return Self.set(&hash, member.stringValue.flatMap { ContentHash($0) })
    }
    if member.isNamed("etag") { return Self.set(&etag, member.stringValue) }
    if member.isNamed("last_modified") { return Self.set(&lastModified, member.stringValue) }
    if member.isNamed("type") { return Self.set(&type, member.stringValue) }
    if member.isNamed("vary") { return Self.set(&vary, member.stringValue) }
    if member.isNamed("terms") { return Self.set(&terms, member.stringValue) }
    if member.isNamed("checked") { return Self.set(&checked, member.integerValue) }
    if member.isNamed("fresh_until") { return Self.set(&freshUntil, member.integerValue) }
    if member.isNamed("removed") { return Self.set(&removed, member.integerValue) }
    return takeOther(member)
  }

  private mutating func takeOther(_ member: cachectl_json_member) -> Bool {
    guard member.isNamed("sum") else {
      others.append(OriginRecord.Member(name: member.nameValue, json: member.jsonValue))
      return true
    }
    defer { hasSum = true }
    return !hasSum && member.textBytes != nil
  }

  private static func set<Value>(_ slot: inout Value?, _ value: Value?) -> Bool {
    guard slot == nil, let value else { return false }
    slot = value
    return true
  }

  /// A key that does not hash to the name would let one entry answer for another.
  var line: OriginLine {
    guard let name else { return .damaged }
    if removed != nil { return .removed(name) }
    guard let key, let key = try? CacheKey(recorded: key), key.name == name else { return .damaged }
    return .stored(
      name,
      OriginRecord(
        key: key, url: url, hash: hash, etag: etag, lastModified: lastModified, type: type,
        vary: vary, checked: Instant(milliseconds: checked ?? 0),
        freshUntil: freshUntil.map { Instant(milliseconds: $0) }, terms: terms, others: others))
  }
}
