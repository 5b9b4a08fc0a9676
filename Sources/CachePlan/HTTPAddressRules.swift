/// Which addresses may be connected to.
///
/// Stored URLs come from anywhere and names resolve to anything, so what is checked is the address
/// about to be connected to, for every hop: otherwise a picture's URL could reach the machine's own
/// services or the cloud's metadata. Refused is all that the registries of special-purpose addresses
/// (RFC 6890 and IANA's lists) do not call globally reachable, multicast, and metadata services.
public struct HTTPAddressRules: Sendable, Hashable {
  /// Networks that are allowed although they are special.
  public var allowed: [HTTPNetwork]

  /// Public addresses and the networks given.
  public init(allowed: [HTTPNetwork] = []) { self.allowed = allowed }

  /// Whether a connection to the address may be opened.
  public func permit(_ address: HTTPAddress) -> Bool {
    let inner = address.embeddedV4.map(HTTPAddress.v4)
    if allowed.contains(where: { $0.contains(address) || inner.map($0.contains) == true }) {
      return true
    }
    if let inner { return !HTTPAddressRules.special4.contains { $0.contains(inner) } }
    return HTTPAddressRules.global6.contains { $0.contains(address) }
      && !HTTPAddressRules.special6.contains { $0.contains(address) }
  }

  private static let special4 = networks(
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
    "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",
    "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
    // Azure's platform address, which lies among the public ones.
    "168.63.129.16")

  // All global unicast addresses there are; whatever lies outside is special or not yet given out.
  private static let global6 = networks("2000::/3")
  private static let special6 = networks("2001::/23", "2001:db8::/32", "3fff::/20")

  private static func networks(_ texts: String...) -> [HTTPNetwork] {
    texts.compactMap(HTTPNetwork.init)
  }
}
