/// How much a set of entries amounts to.
///
/// Sums are of 128 bits, so that no record, however absurd, makes them overflow.
public struct Usage: Sendable, Hashable {
  /// How many entries.
  public var entries: Int64 = 0
  /// The lengths of their objects.
  public var bytes: Int128 = 0
  /// The allocated bytes.
  public var allocated: Int128 = 0
  /// Their costs.
  public var cost: Int128 = 0

  /// Nothing.
  public init() {}

  /// Counts one entry.
  @inlinable
  public mutating func add(_ candidate: Candidate) {
    entries += 1
    bytes += Int128(candidate.bytes)
    allocated += Int128(candidate.allocated)
    cost += Int128(candidate.cost)
  }

  /// Adds two amounts.
  public static func + (a: Usage, b: Usage) -> Usage {
    var sum = a
    sum.entries += b.entries
    sum.bytes += b.bytes
    sum.allocated += b.allocated
    sum.cost += b.cost
    return sum
  }

  /// What is left of this amount once `part` of it has gone.
  public func less(_ part: Usage) -> Usage {
    var rest = self
    rest.entries -= part.entries
    rest.bytes -= part.bytes
    rest.allocated -= part.allocated
    rest.cost -= part.cost
    return rest
  }
}
