public import CacheModel

/// What a memory cache may hold: each limit is nil where there is none.
public struct MemoryLimits: Sendable, Hashable {
  /// Values at most.
  public var count: Int?
  /// The sum of the values' costs at most, in bytes.
  public var cost: ByteCount?

  /// Sets limits; no limit where one is left out.
  ///
  ///     MemoryLimits(count: 500, cost: .megabytes(64))
  public init(count: Int? = nil, cost: ByteCount? = nil) {
    precondition(count ?? 0 >= 0, "a count is never negative")
    self.count = count
    self.cost = cost
  }

  /// Whether a value of this cost may be kept at all.
  func admit(_ valueCost: Int64) -> Bool { hold(1, Int128(valueCost)) }

  func hold(_ values: Int, _ costs: Int128) -> Bool { excess(values, costs) == nil }

  /// The limit that is passed by so many values of these costs.
  func excess(_ values: Int, _ costs: Int128) -> MemoryDeparture? {
    if let count, values > count { return .count }
    if let cost, costs > Int128(cost.bytes) { return .cost }
    return nil
  }
}

extension ByteCount {
  /// So many times 1,000,000 bytes, stopping at the largest count; a negative number is our own
  /// mistake.
  public static func megabytes(_ number: Int) -> ByteCount {
    .product(Int64(number), 1_000_000) ?? ByteCount(.max)
  }
}

/// Why a value left a memory cache.
public enum MemoryDeparture: Sendable, Hashable {
  /// Room was needed for as many values, and it was the least recently used.
  case count
  /// Room was needed for costs, and it was the least recently used.
  case cost
  /// Another value came for its key.
  case replaced
  /// It was removed by its key, or with all others.
  case removed
  /// The system ran short of memory.
  case pressure
}

/// A value that left a memory cache.
public struct MemoryLeaver<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// What it was kept under.
  public let key: Key
  /// The value itself.
  public let value: Value
  /// Its cost, as it was given.
  public let cost: Int64
  /// Why it left.
  public let why: MemoryDeparture
}

/// What a memory cache holds at one moment.
public struct MemoryUsage: Sendable, Hashable {
  /// Values.
  public var count = 0
  /// The sum of their costs, in bytes.
  public var cost: Int128 = 0
}
