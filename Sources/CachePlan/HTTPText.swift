/// The characters HTTP's grammar is made of (RFC 9110, 5.6).
enum HTTPText {
  static let space: UInt8 = 0x20
  static let tab: UInt8 = 0x09
  static let quote: UInt8 = 0x22
  static let backslash: UInt8 = 0x5C

  /// Whether a byte may stand in a token: letters, digits and fifteen marks.
  static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"): true
    case UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"): true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"): true
    case UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"): true
    default: false
    }
  }

  /// Whether a byte may stand in a field value: no control but the tab.
  static func isFieldValue(_ byte: UInt8) -> Bool {
    byte == tab || (byte >= space && byte != 0x7F)
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  static func isLetter(_ byte: UInt8) -> Bool { (lower(byte) &- 0x61) < 26 }

  static func lower(_ byte: UInt8) -> UInt8 { (byte &- 0x41) < 26 ? byte | 0x20 : byte }

  /// The part without spaces and tabs at its ends.
  static func trimmed<Bytes: BidirectionalCollection>(_ bytes: Bytes) -> Bytes.SubSequence
  where Bytes.Element == UInt8 {
    var rest = bytes[...]
    while let first = rest.first, isBlank(first) { rest = rest.dropFirst() }
    while let last = rest.last, isBlank(last) { rest = rest.dropLast() }
    return rest
  }

  /// The text whose code points are the bytes (ISO 8859-1), which any bytes survive both ways.
  static func text(_ bytes: some Collection<UInt8>) -> String {
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    var text = String.UnicodeScalarView()
    for byte in bytes { text.append(Unicode.Scalar(byte)) }
    return String(text)
  }

  /// The bytes of such a text; nil where a code point is beyond a byte.
  static func bytes(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      guard let byte = UInt8(exactly: scalar.value) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  /// A run of digits as a number, stopping at the largest; nil where it is empty or has another
  /// byte.
  static func number(_ bytes: some Collection<UInt8>) -> Int64? {
    guard !bytes.isEmpty, bytes.allSatisfy(isDigit) else { return nil }
    var number: Int64 = 0
    for byte in bytes {
      let (product, overflow) = number.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(Int64(byte - 0x30))
      if overflow || carry { return Int64.max }
      number = sum
    }
    return number
  }
}
