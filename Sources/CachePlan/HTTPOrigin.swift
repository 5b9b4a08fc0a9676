/// Scheme, host and port: who is asked, and whom credentials belong to (RFC 9110, 4.3.1).
public struct HTTPOrigin: Sendable, Hashable, CustomStringConvertible {
  /// The two schemes that are asked.
  public enum Scheme: String, Sendable, Hashable {
    case http
    case https
  }

  /// The scheme.
  public let scheme: Scheme
  /// The host in lower case, an IPv6 address in brackets.
  public let host: String
  /// The port, written or the scheme's own.
  public let port: UInt16

  init(scheme: Scheme, host: String, port: UInt16?) {
    self.scheme = scheme
    self.host = host
    self.port = port ?? HTTPOrigin.usual(scheme)
  }

  static func usual(_ scheme: Scheme) -> UInt16 { scheme == .http ? 80 : 443 }

  /// `https://img.example`, the port only where it is not the scheme's own.
  public var description: String {
    let front = scheme.rawValue + "://" + host
    return port == HTTPOrigin.usual(scheme) ? front : front + ":\(port)"
  }
}

/// The part of a URL between `//` and the path.
struct HTTPAuthority {
  let origin: HTTPOrigin
  let userInfo: String?

  init(_ bytes: ArraySlice<UInt8>, scheme: HTTPOrigin.Scheme) throws(HTTPURLFault) {
    var hostAndPort = bytes
    var userInfo: String?
    if let at = bytes.firstIndex(of: UInt8(ascii: "@")) {
      userInfo = try HTTPAuthority.userInfo(bytes[..<at])
      hostAndPort = bytes[(at + 1)...]
    }
    // A second @ would make the host a matter of opinion.
    guard !hostAndPort.contains(UInt8(ascii: "@")) else { throw .userInfo }
    let (host, port) = try HTTPAuthority.split(hostAndPort)
    origin = HTTPOrigin(scheme: scheme, host: try HTTPHost.name(host), port: port)
    self.userInfo = userInfo
  }

  /// User and password may not hold an encoded delimiter: `http://1.2.3.4%2f@other` is the classic
  /// text that two parsers send to two hosts.
  private static func userInfo(_ bytes: ArraySlice<UInt8>) throws(HTTPURLFault) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let decoded = HTTPPercent.decoded(bytes), bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      decoded.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && ![0x2F, 0x5C, 0x3F, 0x23].contains($0) })
    else { throw .userInfo }
    return text.isEmpty ? nil : text
  }

  private static func split(
    _ bytes: ArraySlice<UInt8>
  ) throws(HTTPURLFault) -> (host: ArraySlice<UInt8>, port: UInt16?) {
    let afterBracket = bytes.lastIndex(of: UInt8(ascii: "]")) ?? bytes.startIndex
    guard let colon = bytes[afterBracket...].firstIndex(of: UInt8(ascii: ":")) else {
      return (bytes, nil)
    }
    let digits = bytes[(colon + 1)...]
    if digits.isEmpty { return (bytes[..<colon], nil) }
    guard let number = HTTPText.number(digits), let port = UInt16(exactly: number), port > 0 else {
      throw .port
    }
    return (bytes[..<colon], port)
  }
}

/// Percent-encoding (RFC 3986, 2.1).
enum HTTPPercent {
  /// The bytes meant; nil where a percent sign is not followed by two hex digits.
  static func decoded(_ bytes: some Sequence<UInt8>) -> [UInt8]? {
    var decoded: [UInt8] = []
    var rest = bytes.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        decoded.append(byte)
        continue
      }
      guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else {
        return nil
      }
      decoded.append(high << 4 | low)
    }
    return decoded
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch HTTPText.lower(byte) {
    case let digit where HTTPText.isDigit(digit): digit - 0x30
    case let letter where letter >= 0x61 && letter <= 0x66: letter - 0x57
    default: nil
    }
  }
}
