/// Fixed-width lower-case hexadecimal.
///
/// `String(_, radix: 16)` drops leading zeros, which turns one hash in sixteen into another.
public enum Hex {
  private static let digits = Array("0123456789abcdef".utf8)

  /// Sixteen digits.
  public static func text(_ word: UInt64) -> String {
    String(unsafeUninitializedCapacity: 16) { buffer in
      write(word, to: UnsafeMutableRawBufferPointer(buffer))
      return 16
    }
  }

  /// Writes sixteen digits to the start of `buffer`, which must hold them.
  public static func write(_ word: UInt64, to buffer: UnsafeMutableRawBufferPointer) {
    for index in 0..<16 {
      buffer[index] = digits[Int(truncatingIfNeeded: word >> UInt64(60 - 4 * index)) & 15]
    }
  }

  /// Reads sixteen lower-case digits at `offset`; nil where one is not.
  public static func word(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64? {
    guard offset + 16 <= bytes.count else { return nil }
    var word: UInt64 = 0
    for index in offset..<offset + 16 {
      switch bytes[index] {
      case let digit where digit >= 0x30 && digit <= 0x39: word = word << 4 | UInt64(digit - 0x30)
      case let digit where digit >= 0x61 && digit <= 0x66: word = word << 4 | UInt64(digit - 0x57)
      default: return nil
      }
    }
    return word
  }
}
