/// The host of a URL, in the one spelling that every resolver reads alike.
enum HTTPHost {
  /// The host in lower case: letters, digits, dots, hyphens, underscores; four decimal octets; or
  /// an IPv6 address in brackets.
  ///
  /// `0x7f.1`, `2130706433` and their like are refused: they are addresses in disguise.
  static func name(_ bytes: ArraySlice<UInt8>) throws(HTTPURLFault) -> String {
    guard let first = bytes.first else { throw .noHost }
    if first == UInt8(ascii: "[") { return try bracketed(bytes) }
    guard bytes.allSatisfy({ $0 < 0x80 }) else { throw .international }
    let lower = bytes.map(HTTPText.lower)
    guard lower.count <= 253, lower.allSatisfy(isNameByte) else { throw .host }
    var labels = lower.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    // One dot at the end marks a complete name; it is part of it.
    if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
    guard labels.allSatisfy({ !$0.isEmpty && $0.count <= 63 }) else { throw .host }
    if let last = labels.last, isNumber(last) {
      guard labels.count == 4, lower.last != UInt8(ascii: "."), labels.allSatisfy(isOctet) else {
        throw .host
      }
    }
    return String(decoding: lower, as: UTF8.self)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    HTTPText.isLetter(byte) || HTTPText.isDigit(byte) || [0x2D, 0x2E, 0x5F].contains(byte)
  }

  /// Digits, or `0x` and whatever follows: what the C library's resolver takes for a number.
  private static func isNumber(_ label: ArraySlice<UInt8>) -> Bool {
    label.allSatisfy(HTTPText.isDigit) || label.starts(with: [0x30, UInt8(ascii: "x")])
  }

  private static func isOctet(_ label: ArraySlice<UInt8>) -> Bool {
    guard let number = HTTPText.number(label), number <= 255 else { return false }
    return label.count == 1 || label.first != 0x30
  }

  private static func bracketed(_ bytes: ArraySlice<UInt8>) throws(HTTPURLFault) -> String {
    let inner = bytes.dropFirst().dropLast()
    let text = String(decoding: inner.map(HTTPText.lower), as: UTF8.self)
    guard bytes.last == UInt8(ascii: "]"), inner.contains(UInt8(ascii: ":")),
      HTTPAddress(text) != nil
    else { throw .host }
    return "[" + text + "]"
  }
}
