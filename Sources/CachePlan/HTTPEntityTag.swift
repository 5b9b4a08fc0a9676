/// An entity tag, kept byte for byte as the origin wrote it (RFC 9110, 8.8.3).
public struct HTTPEntityTag: Sendable, Hashable {
  /// The tag with its quotes and its `W/`, as it goes into If-None-Match.
  public let text: String

  /// Whether it only promises an equivalent body.
  public var isWeak: Bool { text.utf8.first == UInt8(ascii: "W") }

  /// Reads a legal tag; nil for anything else: empty, unquoted, cut off, `w/"…"`, a blank or a
  /// control inside, `*`, two tags.
  public init?(_ text: String) {
    guard let bytes = HTTPText.bytes(text) else { return nil }
    let opaque =
      bytes.starts(with: [UInt8(ascii: "W"), UInt8(ascii: "/")]) ? bytes[2...] : bytes[...]
    guard opaque.count >= 2, opaque.first == HTTPText.quote, opaque.last == HTTPText.quote,
      opaque.dropFirst().dropLast().allSatisfy(HTTPEntityTag.isInside)
    else { return nil }
    self.text = text
  }

  /// Weak comparison, the one a conditional GET uses (RFC 9110, 8.8.3.2).
  public func matches(_ other: HTTPEntityTag) -> Bool {
    (isWeak ? text.dropFirst(2) : text[...])
      == (other.isWeak ? other.text.dropFirst(2) : other.text[...])
  }

  private static func isInside(_ byte: UInt8) -> Bool {
    byte == 0x21 || (byte >= 0x23 && byte != 0x7F)
  }
}
