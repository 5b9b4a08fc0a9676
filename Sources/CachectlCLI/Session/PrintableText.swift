internal import CacheModel

/// Text of unknown origin as a line of a terminal may show it: what a terminal would obey, what breaks
/// the line and what turns the direction of writing becomes an escape, `\n`, `\x1b` or `\u{202e}`.
func printable(_ text: String) -> String {
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return text }
  return text.unicodeScalars.reduce(into: "") { shown, scalar in
    if isHarmless(scalar) {
      shown.unicodeScalars.append(scalar)
    } else {
      shown += escape(scalar)
    }
  }
}

private func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: false
  default: true
  }
}

private func escape(_ scalar: Unicode.Scalar) -> String {
  switch scalar {
  case "\n": "\\n"
  case "\t": "\\t"
  case "\r": "\\r"
  default:
    scalar.value < 0x100
      ? "\\x" + Hex.text(UInt64(scalar.value)).suffix(2)
      : "\\u{" + String(scalar.value, radix: 16) + "}"
  }
}

extension Int64 {
  /// The number and what it counts: `1 entry`, `2 entries`.
  func counted(_ one: String, _ many: String) -> String { "\(self) \(self == 1 ? one : many)" }
}
