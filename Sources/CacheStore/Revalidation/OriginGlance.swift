internal import CLinux
internal import CacheModel
internal import Glibc

/// When a line of etag.jsonl says that its entry was checked and becomes stale.
///
/// A line of this library's form is read without a parser: a search of a million entries for the
/// stale ones looks at little else.
enum OriginGlance: Equatable {
  case stored(EntryName, checked: Instant, freshUntil: Instant)
  case removed(EntryName)
  case damaged

  static func read(_ line: LineReader.Line, with json: JSONReader) -> OriginGlance {
    if line.isTooLong { return .damaged }
    // Only a line with a right sum is known to be of that form to its end.
    if LineSum.verdict(on: line.bytes) == .right, let glance = readOwn(line.bytes) { return glance }
    switch OriginLine.read(line.bytes, with: json) {
    case .stored(let name, let record):
      return .stored(
        name, checked: record.checked, freshUntil: record.freshUntil ?? record.checked)
    case .removed(let name): return .removed(name)
    case .damaged: return .damaged
    }
  }

  /// Whether a line begins as this library's records do.
  static func isOwn(_ line: UnsafeRawBufferPointer) -> Bool {
    var cursor = LineCursor(line)
    return cursor.skip("{\"name\":\"") && cursor.name() != nil && cursor.skip("\",\"key\":\"")
  }

  private static func readOwn(_ line: UnsafeRawBufferPointer) -> OriginGlance? {
    var cursor = LineCursor(line)
    guard cursor.skip("{\"name\":\""), let name = cursor.name() else { return nil }
    if cursor.skip("\",\"removed\":") {
      return cursor.endsRemoval() == nil ? nil : .removed(name)
    }
    guard cursor.skip("\",\"key\":\""), let base = line.baseAddress else { return nil }
    // Within a string its quotes would be escaped; what this version does not know comes later.
    let member: StaticString = ",\"checked\":"
    guard let found = cachectl_find(base, line.count, member.utf8Start, member.utf8CodeUnitCount)
    else {
      return nil
    }
    let rest = line[(UnsafeRawPointer(found) - base)...]
    cursor = LineCursor(UnsafeRawBufferPointer(rebasing: rest))
    guard cursor.skip(member), let checked = cursor.decimal() else { return nil }
    var freshUntil = checked
    if cursor.skip(",\"fresh_until\":") {
      guard let until = cursor.decimal() else { return nil }
      freshUntil = until
    }
    return .stored(
      name, checked: Instant(milliseconds: checked), freshUntil: Instant(milliseconds: freshUntil))
  }
}
