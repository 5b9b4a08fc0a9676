/// The pieces of an `http` or `https` URL (RFC 3986, section 3) that a key depends on.
struct URLParts {
  let scheme: String
  /// With the `@`, or empty.
  let userInfo: Substring
  let host: Substring
  /// With the `:`, or empty.
  let port: Substring
  /// Path and query, without the fragment.
  let rest: Substring

  /// Nil for what is no http URL with a host; such a key stays as it is.
  init?(_ text: String) {
    guard let colon = text.utf8.firstIndex(of: 0x3a) else { return nil }
    scheme = text[..<colon].asciiLowercased
    guard scheme == "http" || scheme == "https" else { return nil }
    let behind = text[text.utf8.index(after: colon)...]
    guard behind.utf8.starts(with: "//".utf8) else { return nil }
    let body = behind[behind.utf8.index(behind.startIndex, offsetBy: 2)...]
    let authorityEnd =
      body.utf8.firstIndex { $0 == 0x2f || $0 == 0x3f || $0 == 0x23 } ?? body.endIndex
    let authority = body[..<authorityEnd]
    let hostStart =
      authority.utf8.lastIndex(of: 0x40).map { authority.utf8.index(after: $0) }
      ?? authority.startIndex
    userInfo = authority[..<hostStart]
    let (host, port) = Self.split(authority[hostStart...])
    guard !host.isEmpty else { return nil }
    self.host = host
    self.port = port
    let fragment = body.utf8.firstIndex(of: 0x23) ?? body.endIndex
    rest = body[authorityEnd..<max(authorityEnd, fragment)]
  }

  private static func split(_ hostAndPort: Substring) -> (host: Substring, port: Substring) {
    let searchStart = hostAndPort.utf8.lastIndex(of: 0x5d) ?? hostAndPort.startIndex
    guard let colon = hostAndPort[searchStart...].utf8.lastIndex(of: 0x3a) else {
      return (hostAndPort, hostAndPort[hostAndPort.endIndex...])
    }
    return (hostAndPort[..<colon], hostAndPort[colon...])
  }

  var normalized: String {
    let standard = scheme == "http" ? ":80" : ":443"
    let shownPort = port == ":" || port == standard ? "" : String(port)
    return scheme + "://" + userInfo + host.asciiLowercased + shownPort + rest
  }
}

extension StringProtocol {
  /// Lower case for ASCII letters alone: independent of any locale, and the length stays.
  public var asciiLowercased: String {
    String(decoding: utf8.map { $0 >= 0x41 && $0 <= 0x5a ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
