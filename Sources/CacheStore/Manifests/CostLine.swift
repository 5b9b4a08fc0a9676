internal import CSimdJSON
internal import CacheModel

/// What one line of cost.jsonl says.
enum CostLine: Equatable {
  case stored(CostRecord)
  case removed(EntryName, at: Instant)
  case damaged

  /// Reads a line.
  ///
  /// The form that this library writes is read directly, some five times as fast as any JSON parser
  /// would; whatever else is JSON goes through simdjson.
  @inline(__always)
  static func read(_ line: LineReader.Line, with json: JSONReader) -> CostLine {
    if line.isTooLong { return .damaged }
    let sum = LineSum.verdict(on: line.bytes)
    if sum == .wrong { return .damaged }
    if sum == .right, let canonical = readCanonical(line.bytes) { return canonical }
    return readAny(line.bytes, sum: sum, with: json)
  }

  @inline(__always)
  private static func readCanonical(_ line: UnsafeRawBufferPointer) -> CostLine? {
    var cursor = LineCursor(line)
    guard cursor.skip("{\"name\":\""), let name = cursor.name() else { return nil }
    if cursor.skip("\",\"removed\":") {
      return cursor.endsRemoval().map { .removed(name, at: Instant(milliseconds: $0)) }
    }
    guard cursor.skip("\",\"bytes\":"), let bytes = cursor.decimal(),
      cursor.skip(",\"cost\":"), let cost = cursor.decimal(),
      cursor.skip(",\"xxh128\":\""), let high = cursor.hexWord(), let low = cursor.hexWord(),
      cursor.skip("\",\"stored\":"), let stored = cursor.decimal(),
      cursor.skip(",\"used\":"), let used = cursor.decimal(), cursor.isBeforeSum
    else { return nil }
    return .stored(
      CostRecord(
        name: name, bytes: bytes, cost: cost, hash: ContentHash(high: high, low: low),
        stored: Instant(milliseconds: stored), used: Instant(milliseconds: used)))
  }

  private static func readAny(
    _ line: UnsafeRawBufferPointer, sum: LineSum.Verdict, with json: JSONReader
  ) -> CostLine {
    guard let members = json.members(of: line) else { return .damaged }
    var draft = Draft()
    for member in members where !draft.take(member) { return .damaged }
    return draft.hasSum == (sum == .right) ? draft.line : .damaged
  }
}

/// A record while its members come in, in whatever order and with others between them.
private struct Draft {
  var name: EntryName?
  var bytes, cost, stored, used, removed: Int64?
  var hash: ContentHash?
  var hasSum = false

  /// Takes one member in; false where a known one has a wrong value or stands twice.
  mutating func take(_ member: cachectl_json_member) -> Bool {
    if member.isNamed("name") {
      return Self.set(&name, member.textBytes.flatMap { EntryName(hexDigits: $0) })
    }
    if member.isNamed("bytes") { return Self.set(&bytes, member.countValue) }
    if member.isNamed("cost") { return Self.set(&cost, member.countValue) }
    if member.isNamed("stored") { return Self.set(&stored, member.integerValue) }
    if member.isNamed("used") { return Self.set(&used, member.integerValue) }
    if member.isNamed("removed") { return Self.set(&removed, member.integerValue) }
    if member.isNamed("xxh128") {
      return Self.set(&hash, member.stringValue.flatMap(ContentHash.init))
    }
    guard member.isNamed("sum") else { return true }
    defer { hasSum = true }
    return !hasSum && member.textBytes != nil
  }

  private static func set<Value>(_ slot: inout Value?, _ value: Value?) -> Bool {
    guard slot == nil, let value else { return false }
    slot = value
    return true
  }

  /// The length is the one thing that nothing else can stand in for.
  var line: CostLine {
    guard let name else { return .damaged }
    if let removed { return .removed(name, at: Instant(milliseconds: removed)) }
    guard let bytes else { return .damaged }
    let since = Instant(milliseconds: stored ?? used ?? 0)
    return .stored(
      CostRecord(
        name: name, bytes: bytes, cost: cost ?? bytes, hash: hash, stored: since,
        used: used.map { Instant(milliseconds: $0) } ?? since))
  }
}
