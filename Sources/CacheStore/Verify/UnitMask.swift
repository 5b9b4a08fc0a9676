internal import CacheModel

/// Entries are checked, and their checks remembered, in 4,096 parts: a shard's by the third digit
/// of their names.
///
/// A cache of ten million has 2,400 entries in each.
struct UnitMask: Equatable, Sendable {
  /// Parts of a shard.
  static let count = 16
  static let all = UnitMask(bits: .max)

  private(set) var bits: UInt16

  init(bits: UInt16 = 0) { self.bits = bits }

  /// Whether it is the whole shard.
  var isAll: Bool { self == .all }

  mutating func insert(_ unit: Int) { bits |= 1 << UInt16(unit) }

  func holds(_ unit: Int) -> Bool { bits & 1 << UInt16(unit) != 0 }

  @inline(__always)
  func holds(_ name: EntryName) -> Bool { holds(name.unit) }

  /// The parts, in order.
  var units: [Int] { (0..<Self.count).filter { holds($0) } }
}

extension EntryName {
  /// Its part of the shard.
  @inline(__always)
  var unit: Int { Int(truncatingIfNeeded: words.0 >> 52 & 15) }
}
