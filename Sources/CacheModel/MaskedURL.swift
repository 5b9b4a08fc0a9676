/// The text with everything secret in it replaced by `***`, fit for a report or a log.
///
/// Replaced are user and password, and the values of query and fragment parameters whose names say
/// that they carry secrets: signatures, tokens, keys, passwords. Names are compared without regard to
/// case and after percent-decoding. A value that is a URL with secrets of its own goes as a whole. A
/// text that is no URL comes back as it is. No text, however broken, is refused.
public func maskedURL(_ text: String) -> String {
  let bytes = Array(text.utf8)
  guard let start = URLMask.authority(of: bytes) else { return text }
  var masked = Array(bytes[..<start.lowerBound])
  masked += URLMask.withoutUserInfo(bytes[start])
  masked += URLMask.withoutSecrets(bytes[start.upperBound...])
  return String(decoding: masked, as: UTF8.self)
}

private enum URLMask {
  static let mask = Array("***".utf8)

  /// The range between `//` and the path; empty for a path alone; nil for what is no URL.
  static func authority(of bytes: [UInt8]) -> Range<Int>? {
    guard let start = authorityStart(of: bytes) else {
      return bytes.first == UInt8(ascii: "/") ? 0..<0 : nil
    }
    // Not at a backslash, where some readers end it: what stands before an @ must be hidden.
    let end = bytes[start...].firstIndex { [0x2F, 0x3F, 0x23].contains($0) } ?? bytes.count
    guard !endsInPort(bytes[start..<end]), let at = bytes.lastIndex(of: UInt8(ascii: "@")), at > end
    else { return start..<end }
    // `http://user:pa/ss@host/`: a password that was not encoded.
    return start..<(bytes[at...].firstIndex { [0x2F, 0x3F, 0x23].contains($0) } ?? bytes.count)
  }

  private static func authorityStart(of bytes: [UInt8]) -> Int? {
    let scheme = bytes.prefix { isSchemeByte($0) }
    let rest = bytes[scheme.count...]
    if rest.starts(with: "://".utf8) || bytes.starts(with: "//".utf8) {
      return scheme.isEmpty ? 2 : scheme.count + 3
    }
    // Wrong slashes, or none: still meant as a URL, and still with a password.
    let isHTTP = ["http", "https"].contains(String(decoding: scheme, as: UTF8.self).lowercased())
    guard isHTTP, rest.first == UInt8(ascii: ":") else { return nil }
    return rest.dropFirst().firstIndex { $0 != 0x2F && $0 != 0x5C } ?? bytes.count
  }

  /// Whether nothing, or digits alone, follow the last colon outside brackets.
  private static func endsInPort(_ authority: ArraySlice<UInt8>) -> Bool {
    guard let colon = authority.lastIndex(of: UInt8(ascii: ":")), !authority.contains(0x40),
      authority.last != UInt8(ascii: "]")
    else { return true }
    return authority[(colon + 1)...].allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }

  static func withoutUserInfo(_ authority: ArraySlice<UInt8>) -> [UInt8] {
    guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return Array(authority) }
    return mask + authority[at...]
  }

  /// Path, query and fragment with secret values replaced.
  static func withoutSecrets(_ rest: ArraySlice<UInt8>) -> [UInt8] {
    let queryStart = rest.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    var masked = withoutNestedUserInfo(rest[..<(queryStart ?? rest.endIndex)])
    var position = queryStart ?? rest.endIndex
    while position < rest.endIndex {
      let end = rest[(position + 1)...].firstIndex(where: isSeparator) ?? rest.endIndex
      masked.append(rest[position])
      masked += maskedParameter(rest[(position + 1)..<end])
      position = end
    }
    return masked
  }

  /// A path may hold another URL, written out or percent-encoded: image proxies are asked that way.
  private static func withoutNestedUserInfo(_ path: ArraySlice<UInt8>) -> [UInt8] {
    var masked: [UInt8] = []
    var isAfterScheme = false
    for segment in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      if segment.startIndex > path.startIndex { masked.append(UInt8(ascii: "/")) }
      if holdsSecretURL(segment) {
        masked += mask
      } else {
        masked += isAfterScheme ? withoutUserInfo(segment) : Array(segment)
      }
      if !segment.isEmpty { isAfterScheme = segment.last == UInt8(ascii: ":") }
    }
    return masked
  }

  private static func maskedParameter(_ parameter: ArraySlice<UInt8>) -> [UInt8] {
    guard let equals = parameter.firstIndex(of: UInt8(ascii: "=")) else { return Array(parameter) }
    let name = String(decoding: percentDecoded(parameter[..<equals]), as: UTF8.self)
    let value = parameter[(equals + 1)...]
    let isSecret = SecretNames.hold(name.lowercased(), valueLength: value.count)
    guard !value.isEmpty, isSecret || holdsSecretURL(value) else { return Array(parameter) }
    return parameter[...equals] + mask
  }

  private static func holdsSecretURL(_ value: ArraySlice<UInt8>) -> Bool {
    let plain = String(decoding: percentDecoded(value), as: UTF8.self)
    return plain.contains("://") && maskedURL(plain) != plain
  }

  /// Percent-decoding that leaves alone what is not percent-encoded.
  private static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var decoded: [UInt8] = []
    var position = bytes.startIndex
    while position < bytes.endIndex {
      if bytes[position] == UInt8(ascii: "%"), position + 2 < bytes.endIndex,
        let byte = UInt8(
          String(decoding: bytes[(position + 1)...(position + 2)], as: UTF8.self), radix: 16)
      {
        decoded.append(byte)
        position += 3
      } else {
        decoded.append(bytes[position] == UInt8(ascii: "+") ? 0x20 : bytes[position])
        position += 1
      }
    }
    return decoded
  }

  /// A line end stands between a key and its variant.
  private static func isSeparator(_ byte: UInt8) -> Bool {
    [0x0A, UInt8(ascii: "&"), UInt8(ascii: ";"), UInt8(ascii: "#"), UInt8(ascii: "?")].contains(
      byte)
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E: true
    default: false
    }
  }
}
