/// What terminals obey rather than show (ECMA-48).
enum EscapeSequences {
  /// Removes from the front all that is complete, and returns its text without sequences.
  static func takePlainText(from bytes: inout [UInt8]) -> String {
    var text: [UInt8] = []
    var at = 0
    while at < bytes.count {
      guard let end = end(of: bytes, at) else { break }
      if end == at + 1, bytes[at] != 0x0D, bytes[at] != 0x07 { text.append(bytes[at]) }
      at = end
    }
    bytes.removeFirst(at)
    return String(decoding: text, as: UTF8.self)
  }

  /// Where the byte or sequence at a place ends; nil where it is not complete.
  private static func end(of bytes: [UInt8], _ at: Int) -> Int? {
    guard bytes[at] == 0x1B else { return wholeCharacter(bytes, at) ? at + 1 : nil }
    guard at + 1 < bytes.count else { return nil }
    switch bytes[at + 1] {
    case UInt8(ascii: "["):
      return bytes[(at + 2)...].firstIndex { (0x40...0x7E).contains($0) }.map { $0 + 1 }
    case UInt8(ascii: "]"):
      // Ends with BEL or with ESC \, whose two bytes are then a sequence of their own.
      return bytes[(at + 2)...].firstIndex { $0 == 0x07 || $0 == 0x1B }
    case UInt8(ascii: "("), UInt8(ascii: ")"):
      return at + 2 < bytes.count ? at + 3 : nil
    default: return at + 2
    }
  }

  /// Whether the character that begins at a place has arrived as a whole.
  private static func wholeCharacter(_ bytes: [UInt8], _ at: Int) -> Bool {
    let length = bytes[at] < 0xC0 ? 1 : bytes[at] < 0xE0 ? 2 : bytes[at] < 0xF0 ? 3 : 4
    return at + length <= bytes.count
  }
}
