/// The XXH3-128 of an object's bytes, which finds accidents, not forgeries.
public struct ContentHash: Sendable, Hashable, CustomStringConvertible {
  /// The upper 64 bits, first in canonical order.
  public let high: UInt64
  /// The lower 64 bits.
  public let low: UInt64

  /// Wraps the two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads 32 lower-case hex digits; nil for anything else.
  public init?(_ text: String) {
    var copy = text
    let halves: (UInt64, UInt64)? = copy.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      guard bytes.count == 32, let high = Hex.word(bytes, at: 0), let low = Hex.word(bytes, at: 16)
      else { return nil }
      return (high, low)
    }
    guard let halves else { return nil }
    self.init(high: halves.0, low: halves.1)
  }

  /// 32 hex digits, as `xxhsum -H2` prints them.
  public var description: String { Hex.text(high) + Hex.text(low) }
}
