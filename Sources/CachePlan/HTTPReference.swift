extension HTTPURL {
  /// The URL that a reference found at this one means (RFC 3986, 5.2): absolute, `//host/…`,
  /// `/path`, `path` or `?query`.
  ///
  /// User and password go along within the same authority only.
  public func resolving(_ reference: String) throws(HTTPURLFault) -> HTTPURL {
    let bytes = Array(HTTPText.trimmed(Array(reference.utf8)))
    try HTTPURL.check(bytes)
    if HTTPURL.hasScheme(bytes) { return try HTTPURL.withoutDots(bytes) }
    if bytes.starts(with: [0x2F, 0x2F]) {
      return try HTTPURL.withoutDots(Array((origin.scheme.rawValue + ":").utf8) + bytes)
    }
    return HTTPURL(
      origin: origin, userInfo: userInfo,
      target: HTTPURL.dotless(HTTPURL.target(merged(bytes)[...])))
  }

  private func merged(_ reference: [UInt8]) -> [UInt8] {
    let base = Array(target.utf8)
    let pathEnd = base.firstIndex(of: UInt8(ascii: "?")) ?? base.endIndex
    switch reference.first {
    case nil, UInt8(ascii: "#"): return base
    case UInt8(ascii: "/"): return reference
    case UInt8(ascii: "?"): return Array(base[..<pathEnd]) + reference
    default:
      let directory = base[..<pathEnd].lastIndex(of: UInt8(ascii: "/")) ?? base.startIndex
      return Array(base[...directory]) + reference
    }
  }

  private static func hasScheme(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first, HTTPText.isLetter(first),
      let end = bytes.firstIndex(where: { !isSchemeByte($0) })
    else { return false }
    return bytes[end] == UInt8(ascii: ":")
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    HTTPText.isLetter(byte) || HTTPText.isDigit(byte) || [0x2B, 0x2D, 0x2E].contains(byte)
  }

  private static func withoutDots(_ bytes: [UInt8]) throws(HTTPURLFault) -> HTTPURL {
    let url = try HTTPURL(String(decoding: bytes, as: UTF8.self))
    return HTTPURL(origin: url.origin, userInfo: url.userInfo, target: dotless(url.target))
  }

  /// Removes `.` and `..` segments (RFC 3986, 5.2.4).
  private static func dotless(_ target: String) -> String {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts[0].contains("/.") else { return target }
    var kept: [Substring] = []
    let segments = parts[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".": if isLast { kept.append("") }
      case "..":
        _ = kept.popLast()
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return "/" + kept.joined(separator: "/") + (parts.count == 2 ? "?" + parts[1] : "")
  }
}
