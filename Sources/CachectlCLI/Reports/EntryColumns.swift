internal import CacheModel
internal import CacheStore

/// An entry as a line of a table.
///
/// Widths are fixed: a listing of millions is printed as it comes.
struct EntryColumns {
  private let entry: Entry
  private let key: String
  private let now: Instant

  init(_ entry: Entry, _ session: Session, now: Instant) {
    self.entry = entry
    self.now = now
    key = entry.origin.map { printable(session.shown($0.key.text)) } ?? "\(entry.name)"
  }

  static func head(isLong: Bool) -> String {
    isLong
      ? columns("LAST USE", "BYTES", "TYPE", "STORED", "COST", "FRESH UNTIL", "NAME", "KEY")
      : columns("LAST USE", "BYTES", "TYPE") + "KEY"
  }

  func line(isLong: Bool) -> String {
    let type = printable(entry.origin?.type ?? "-")
    guard isLong else { return Self.columns("\(entry.lastUse)", "\(entry.bytes)", type) + key }
    return Self.columns(
      "\(entry.lastUse)", "\(entry.bytes)", type, entry.stored.map { "\($0)" } ?? "stray",
      "\(entry.cost)", entry.origin?.freshUntil.map { "\($0)" } ?? "-", "\(entry.name)", key)
  }

  private static func columns(_ use: String, _ bytes: String, _ type: String) -> String {
    use.wide(24) + "  " + bytes.narrow(11) + "  " + type.wide(13) + "  "
  }

  private static func columns(
    _ use: String, _ bytes: String, _ type: String, _ stored: String, _ cost: String,
    _ fresh: String, _ name: String, _ key: String
  ) -> String {
    columns(use, bytes, type) + stored.wide(24) + "  " + cost.narrow(11) + "  " + fresh.wide(24)
      + "  " + name.wide(64) + "  " + key
  }
}

extension String {
  /// The text to the left of a column.
  func wide(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

  /// The text to the right of a column.
  func narrow(_ width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
