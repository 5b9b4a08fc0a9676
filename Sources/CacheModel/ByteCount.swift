/// A number of bytes, never negative.
public struct ByteCount: Sendable, Hashable {
  /// The number itself, 0 to 2^63 − 1.
  public let bytes: Int64

  /// No bytes at all.
  public static let zero = ByteCount(0)

  /// Wraps a number of bytes; a negative one is our own mistake.
  public init(_ bytes: Int64) {
    precondition(bytes >= 0, "a byte count is never negative")
    self.bytes = bytes
  }

  /// Multiplies without trapping: nil where the product leaves 63 bits.
  public static func product(_ number: Int64, _ unit: Int64) -> ByteCount? {
    let (product, overflow) = number.multipliedReportingOverflow(by: unit)
    return overflow || product < 0 ? nil : ByteCount(product)
  }

  /// Adds, stopping at the largest count: hostile records must not trap a sum.
  public static func + (a: ByteCount, b: ByteCount) -> ByteCount {
    let (sum, overflow) = a.bytes.addingReportingOverflow(b.bytes)
    return ByteCount(overflow ? Int64.max : sum)
  }

  /// Subtracts, stopping at zero.
  public static func - (a: ByteCount, b: ByteCount) -> ByteCount {
    ByteCount(max(0, a.bytes - b.bytes))
  }
}

extension ByteCount: Comparable {
  /// Orders by size.
  public static func < (a: ByteCount, b: ByteCount) -> Bool { a.bytes < b.bytes }
}

extension ByteCount: CustomStringConvertible {
  /// The count in the decimal unit that leaves one to three digits before the point: `48.2 kB`.
  public var description: String {
    let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
    guard bytes >= 1000 else { return "\(bytes) B" }
    var tenths = bytes / 100
    var unit = 0
    while tenths >= 10_000, unit + 1 < units.count {
      tenths /= 1000
      unit += 1
    }
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}
