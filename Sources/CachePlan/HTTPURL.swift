/// An http or https URL that can be asked for, read strictly: where programs differ over what a text
/// means, it is refused (RFC 3986, RFC 9110, 4.2).
public struct HTTPURL: Sendable, Hashable {
  /// Where requests for it go: scheme, host and port (RFC 9110, 4.3.1).
  public let origin: HTTPOrigin
  /// User and password as written, still percent-encoded; nil where there are none.
  public let userInfo: String?
  /// Path and query, beginning with a slash, nothing in it but what a request line may hold.
  public let target: String

  /// More bytes than any server takes.
  static let longest = 16_384

  init(origin: HTTPOrigin, userInfo: String?, target: String) {
    self.origin = origin
    self.userInfo = userInfo
    self.target = target
  }

  /// Reads a URL.
  ///
  /// The fragment is dropped. Bytes that a request line cannot hold, but that people write in paths
  /// (blanks, `"<>^{|}` and the backquote, everything beyond ASCII), are percent-encoded as browsers
  /// do. Controls and backslashes are refused, as is a host that is not plain ASCII: write it in its
  /// `xn--` form.
  public init(_ text: String) throws(HTTPURLFault) {
    let bytes = Array(text.utf8)
    try HTTPURL.check(bytes)
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { throw .notHTTP }
    let scheme = String(decoding: bytes[..<colon].map(HTTPText.lower), as: UTF8.self)
    guard let scheme = HTTPOrigin.Scheme(rawValue: scheme) else { throw .notHTTP }
    let rest = bytes[(colon + 1)...]
    guard rest.starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")]) else { throw .noHost }
    let end = rest.dropFirst(2).firstIndex { [0x2F, 0x3F, 0x23].contains($0) } ?? rest.endIndex
    let authority = try HTTPAuthority(rest[(rest.startIndex + 2)..<end], scheme: scheme)
    origin = authority.origin
    userInfo = authority.userInfo
    target = HTTPURL.target(rest[end...])
  }

  /// The URL without user and password: what is sent and what may be shown.
  public var text: String { origin.description + target }

  /// User and password decoded, neither with a control; nil where there are none.
  public var credentials: (user: [UInt8], password: [UInt8])? {
    guard
      let parts = userInfo?.utf8.split(
        separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false),
      let user = HTTPPercent.decoded(parts[0]),
      let password = parts.count == 2 ? HTTPPercent.decoded(parts[1]) : []
    else { return nil }
    return (user, password)
  }

  static func check(_ bytes: [UInt8]) throws(HTTPURLFault) {
    guard bytes.count <= longest else { throw .tooLong }
    for byte in bytes {
      if byte < HTTPText.space || byte == 0x7F { throw .control }
      if byte == HTTPText.backslash { throw .backslash }
    }
  }

  /// Path and query made fit for a request line: no fragment, a slash in front, nothing illegal.
  static func target(_ bytes: ArraySlice<UInt8>) -> String {
    let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
    let kept = bytes[..<end]
    let needsSlash = kept.first != UInt8(ascii: "/")
    if !needsSlash, kept.allSatisfy(isSendable) { return String(decoding: kept, as: UTF8.self) }
    var target: [UInt8] = needsSlash ? [UInt8(ascii: "/")] : []
    for byte in kept {
      if isSendable(byte) { target.append(byte) } else { target += percentEncoded(byte) }
    }
    return String(decoding: target, as: UTF8.self)
  }

  private static func isSendable(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "^"): false
    case UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"): false
    default: byte > HTTPText.space && byte < 0x7F
    }
  }

  private static func percentEncoded(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
}

/// Why a text is no URL that can be asked for.
public enum HTTPURLFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// Another scheme, or none.
  case notHTTP
  /// No host.
  case noHost
  /// A control character: tab, line end, NUL and their like.
  case control
  /// A backslash, which some read as a slash.
  case backslash
  /// A host that is no name and no address, or an odd spelling of an address.
  case host
  /// A host beyond ASCII.
  case international
  /// No port, or not one.
  case port
  /// User and password that could be read in two ways.
  case userInfo
  /// Too long to be sent.
  case tooLong

  /// The fault in words, without a byte of the text.
  public var description: String {
    switch self {
    case .notHTTP: "not an http or https URL"
    case .noHost: "URL without a host"
    case .control: "control character in the URL"
    case .backslash: "backslash in the URL"
    case .host: "not a host name or address in the URL"
    case .international: "host name beyond ASCII in the URL: write it in its xn-- form"
    case .port: "not a port in the URL"
    case .userInfo: "ambiguous user or password in the URL"
    case .tooLong: "URL longer than \(HTTPURL.longest) bytes"
    }
  }
}
