/// Where a redirect leads (RFC 9110, 15.4), and where it may not.
public enum HTTPRedirect {
  /// The most hops that one request may take.
  public static let most = 10

  /// The next URL, or why it is not followed.
  ///
  /// `hop` counts from 1.
  ///
  /// From https to http is refused: a body that anyone on the way can write must not come in under an
  /// https key. A Location with user and password is refused: they would be the origin's, not ours.
  public static func next(
    from url: HTTPURL, locations: [String], hop: Int
  ) throws(HTTPRedirectFault) -> HTTPURL {
    guard hop <= most else { throw .tooMany }
    guard let location = locations.first, locations.allSatisfy({ $0 == location }) else {
      throw locations.isEmpty ? .noLocation : .twoLocations
    }
    let next: HTTPURL
    do { next = try url.resolving(location) } catch { throw .illegal(error) }
    if url.origin.scheme == .https, next.origin.scheme == .http { throw .downgrade }
    let bringsOwn =
      next.userInfo != nil && (next.userInfo != url.userInfo || next.origin != url.origin)
    guard !bringsOwn else { throw .userInfo }
    return next
  }
}

/// Why a redirect is not followed.
public enum HTTPRedirectFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// More than the limit.
  case tooMany
  /// Without a Location.
  case noLocation
  /// With two different ones.
  case twoLocations
  /// To what cannot be asked for.
  case illegal(HTTPURLFault)
  /// From https to http.
  case downgrade
  /// With user or password.
  case userInfo

  /// The fault in words.
  public var description: String {
    switch self {
    case .tooMany: "more than \(HTTPRedirect.most) redirects"
    case .noLocation: "redirect without a Location"
    case .twoLocations: "redirect with two Locations"
    case .illegal(let fault): "redirect to an illegal URL: \(fault)"
    case .downgrade: "redirect from https to http"
    case .userInfo: "redirect to a URL with user or password"
    }
  }
}
