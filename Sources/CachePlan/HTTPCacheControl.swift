/// The Cache-Control directives of a response that a cache of images heeds (RFC 9111, 5.2.2).
public struct HTTPCacheControl: Sendable, Hashable {
  /// Must not be kept.
  public private(set) var noStore = false
  /// Must be asked about before each use; the form that names fields counts too, which is stricter.
  public private(set) var noCache = false
  /// Must not be used stale.
  public private(set) var mustRevalidate = false
  /// The same for shared caches.
  public private(set) var proxyRevalidate = false
  /// Not for shared caches.
  public private(set) var isPrivate = false
  /// For shared caches in spite of an Authorization.
  public private(set) var isPublic = false
  /// Will not change while it is fresh (RFC 8246).
  public private(set) var isImmutable = false
  /// Seconds of freshness; 0 where the directive is there and is no number.
  public private(set) var maxAge: Int64?
  /// The same for shared caches, where it goes before max-age.
  public private(set) var sharedMaxAge: Int64?
  /// Seconds it may be used stale while it is being asked about (RFC 5861, 3).
  public private(set) var staleWhileRevalidate: Int64?
  /// Seconds it may be used stale while the origin fails (RFC 5861, 4).
  public private(set) var staleIfError: Int64?

  /// 2^31 seconds, the number that larger ones count as (RFC 9111, 1.2.2).
  public static let largestDelta: Int64 = 2_147_483_648

  /// Reads a field value, its lines joined by commas.
  ///
  /// Of a directive that stands twice the first counts (RFC 9111, 4.2.1). Unknown ones are skipped.
  public init(_ value: String) {
    var copy = value
    copy.withUTF8 { utf8 in
      var rest = utf8[...]
      while !rest.isEmpty { apply(HTTPCacheControl.directive(&rest)) }
    }
  }

  private mutating func apply(_ directive: (name: String, argument: String?)) {
    let argument = directive.argument
    switch directive.name {
    case "no-store": noStore = true
    case "no-cache": noCache = true
    case "must-revalidate": mustRevalidate = true
    case "proxy-revalidate": proxyRevalidate = true
    case "private": isPrivate = true
    case "public": isPublic = true
    case "immutable": isImmutable = true
    // A lifetime that is no number makes the response stale (RFC 9111, 4.2.1) …
    case "max-age": maxAge = maxAge ?? HTTPCacheControl.delta(argument) ?? 0
    case "s-maxage": sharedMaxAge = sharedMaxAge ?? HTTPCacheControl.delta(argument) ?? 0
    // … and a leave to use it stale that is no number is no leave.
    case "stale-while-revalidate":
      staleWhileRevalidate = staleWhileRevalidate ?? HTTPCacheControl.delta(argument) ?? 0
    case "stale-if-error": staleIfError = staleIfError ?? HTTPCacheControl.delta(argument) ?? 0
    default: break
    }
  }

  private static func delta(_ argument: String?) -> Int64? {
    argument.flatMap { HTTPText.number($0.utf8) }.map { min($0, largestDelta) }
  }

  /// Takes the text up to the next comma outside quotes.
  private static func directive(
    _ rest: inout Slice<UnsafeBufferPointer<UInt8>>
  ) -> (name: String, argument: String?) {
    var isQuoted = false
    var isEscaped = false
    var end = rest.startIndex
    while end < rest.endIndex, isQuoted || rest[end] != UInt8(ascii: ",") {
      let byte = rest[end]
      if byte == HTTPText.quote, !isEscaped { isQuoted.toggle() }
      isEscaped = isQuoted && byte == HTTPText.backslash && !isEscaped
      end += 1
    }
    let text = rest[..<end]
    rest = rest[min(end + 1, rest.endIndex)...]
    guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else { return (name(text), nil) }
    return (name(text[..<equals]), unquoted(text[(equals + 1)...]))
  }

  private static func name(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    String(decoding: HTTPText.trimmed(bytes).map(HTTPText.lower), as: UTF8.self)
  }

  /// Both forms of an argument, token and quoted string, mean the same (RFC 9111, 5.2).
  private static func unquoted(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    var text = HTTPText.trimmed(bytes)
    if text.count >= 2, text.first == HTTPText.quote, text.last == HTTPText.quote {
      text = text.dropFirst().dropLast()
    }
    return String(decoding: text, as: UTF8.self)
  }
}
