/// A header of a request, known to be one line and nothing but that line.
public struct HTTPRequestField: Sendable, Hashable {
  /// The name, a token.
  public let name: String
  /// The value, without line ends, NUL or other controls.
  public let value: String

  // These frame the message or belong to the connection: a stored value must not decide them.
  private static let refused: Set<String> = [
    "connection", "content-length", "content-type", "expect", "host", "keep-alive", "te", "trailer",
    "transfer-encoding", "upgrade", "accept-encoding", "if-match", "if-none-match",
    "if-modified-since", "if-unmodified-since", "if-range", "range", "proxy-connection",
  ]

  /// Checks a header (RFC 9110, 5.5 and 5.6.2); nil where it could add a line or a request, or where
  /// the fetcher alone may set it.
  public init?(name: String, value: String) {
    guard let bytes = HTTPText.bytes(value), bytes.allSatisfy(HTTPText.isFieldValue),
      !name.isEmpty, name.utf8.allSatisfy(HTTPText.isToken),
      !HTTPRequestField.refused.contains(name.lowercased())
    else { return nil }
    self.name = name
    self.value = String(HTTPText.text(HTTPText.trimmed(bytes)))
  }

  /// The header of a validator.
  public init(_ validator: HTTPValidator) {
    name = validator.name
    value = validator.value
  }

  /// Whether it may only go to the origin it was meant for.
  public var isCredential: Bool {
    ["authorization", "cookie", "proxy-authorization"].contains(name.lowercased())
  }

  /// The line's bytes without its end.
  public var line: [UInt8] {
    // Both parts were checked to be bytes when the value was made.
    Array((name + (value.isEmpty ? ";" : ": ")).utf8) + (HTTPText.bytes(value) ?? [])
  }
}
