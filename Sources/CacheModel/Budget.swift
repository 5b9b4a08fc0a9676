/// What a cache may use: each limit is nil where there is none.
public struct Budget: Sendable, Hashable {
  /// Bytes at most, in the unit that ``measure`` says.
  public var maxBytes: ByteCount?
  /// Entries at most.
  public var maxCount: Int64?
  /// The sum of costs at most.
  public var maxCost: Int64?
  /// Entries last used longer ago are evicted.
  public var maxAge: Duration?
  /// Room to keep on the file system.
  public var minFree: Share?
  /// Inodes to keep on the file system.
  public var minFreeInodes: Share?
  /// The share of a limit to go down to once it is passed, 1 to 100 per cent.
  public var target = 100
  /// What bytes are.
  public var measure = Measure.bytes
  /// Entries used this recently are never evicted.
  public var grace = Duration.zero

  /// A budget without limits.
  public init() {}

  /// What counts as an entry's bytes.
  public enum Measure: String, Sendable, CaseIterable {
    /// The object's length.
    case bytes
    /// Its allocated blocks, an inode with several names once.
    case disk
  }

  /// An amount, or a share of the whole.
  public enum Share: Sendable, Hashable {
    /// So many.
    case amount(Int64)
    /// Hundredths of the whole, 0 to 100.
    case percent(Int)

    /// The amount that this is of `total`.
    public func amount(of total: Int64) -> Int64 {
      switch self {
      case .amount(let amount): amount
      case .percent(let percent): total / 100 * Int64(percent) + total % 100 * Int64(percent) / 100
      }
    }
  }

  /// Whether any limit is set.
  public var hasLimit: Bool {
    maxBytes != nil || maxCount != nil || maxCost != nil || maxAge != nil || minFree != nil
      || minFreeInodes != nil
  }
}
