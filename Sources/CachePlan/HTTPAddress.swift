private import Glibc

/// An IP address.
public enum HTTPAddress: Sendable, Hashable {
  /// An IPv4 address, the first octet in the highest bits.
  case v4(UInt32)
  /// An IPv6 address: its upper and its lower half.
  case v6(UInt64, UInt64)

  /// Reads `192.0.2.1` or `2001:db8::1`, nothing else: no zone, no brackets, no octal, no short form.
  public init?(_ text: String) {
    var v4 = in_addr()
    if inet_pton(AF_INET, text, &v4) == 1 {
      self = .v4(UInt32(bigEndian: v4.s_addr))
      return
    }
    var v6 = in6_addr()
    guard inet_pton(AF_INET6, text, &v6) == 1 else { return nil }
    self = withUnsafeBytes(of: &v6) { HTTPAddress(v6: $0) }
  }

  /// The address in the 16 bytes of network order that `bytes` begins with.
  public init(v6 bytes: UnsafeRawBufferPointer) {
    let halves = (
      bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
      bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    )
    self = .v6(UInt64(bigEndian: halves.0), UInt64(bigEndian: halves.1))
  }

  /// The IPv4 address that packets to this one reach in the end: itself, or the one inside an
  /// IPv4-mapped (`::ffff:0:0/96`), NAT64 (`64:ff9b::/96`, RFC 6052) or 6to4 (`2002::/16`) address.
  public var embeddedV4: UInt32? {
    switch self {
    case .v4(let address): address
    case .v6(0, let low) where low >> 32 == 0xFFFF: UInt32(truncatingIfNeeded: low)
    case .v6(0x0064_FF9B_0000_0000, let low) where low >> 32 == 0: UInt32(truncatingIfNeeded: low)
    case .v6(let high, _) where high >> 48 == 0x2002: UInt32(truncatingIfNeeded: high >> 16)
    case .v6: nil
    }
  }
}

extension HTTPAddress: CustomStringConvertible {
  /// The address in its usual form.
  public var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    switch self {
    case .v4(let address):
      var v4 = in_addr(s_addr: address.bigEndian)
      inet_ntop(AF_INET, &v4, &text, socklen_t(text.count))
    case .v6(let high, let low):
      var v6 = (high.bigEndian, low.bigEndian)
      inet_ntop(AF_INET6, &v6, &text, socklen_t(text.count))
    }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// A network: an address and how many of its bits count.
public struct HTTPNetwork: Sendable, Hashable {
  private let address: HTTPAddress
  private let bits: Int

  /// Reads `10.0.0.0/8`, `fd00::/8`, or one address alone.
  ///
  /// Nil for anything else, and where a bit beyond the prefix is set: that is more likely a slip
  /// than a wish.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let address = HTTPAddress(String(parts[0])) else { return nil }
    let width = if case .v4 = address { 32 } else { 128 }
    let bits = parts.count == 2 ? HTTPText.number(parts[1].utf8) : Int64(width)
    guard let bits, bits <= width else { return nil }
    self.address = address
    self.bits = Int(bits)
    guard address.prefix(Int(bits)) == address else { return nil }
  }

  /// Whether the address lies in the network.
  public func contains(_ other: HTTPAddress) -> Bool { other.prefix(bits) == address }
}

extension HTTPAddress {
  /// The address with all but the first `bits` bits cleared.
  fileprivate func prefix(_ bits: Int) -> HTTPAddress {
    switch self {
    case .v4(let address):
      .v4(bits == 0 ? 0 : address & (~0 << UInt32(max(0, 32 - bits))))
    case .v6(let high, let low):
      .v6(
        bits == 0 ? 0 : high & (~0 << UInt64(max(0, 64 - bits))),
        bits <= 64 ? 0 : low & (~0 << UInt64(128 - bits)))
    }
  }
}
