/// An entry as eviction sees it: 64 bytes, so that hundreds of thousands fit where memory is short.
public struct Candidate: Sendable, Equatable {
  /// The entry.
  public var name: EntryName
  /// The last use: the truth where ``isExact``, else no later than the truth.
  public var lastUse: Instant
  /// The object's length.
  public var bytes: Int64
  /// The writer's measure.
  public var cost: Int64
  /// ``allocated``, a byte of ``place`` and, lowest, one of ``traits``.
  @usableFromInline var packed: UInt64

  /// Allocated bytes, at most 2^48 - 1, estimated from the length where not ``isExact``; of an inode
  /// with several names, each name's share.
  @inlinable public var allocated: Int64 {
    get { Int64(packed >> 16) }
    set { packed = packed & 0xffff | Self.pack(newValue) }
  }

  /// Which 256th of the file system's inodes the object's is among; 0 where that is not known.
  ///
  /// Those of one 256th lie together on the disk, whatever directories name them.
  @inlinable public var place: UInt8 {
    get { UInt8(truncatingIfNeeded: packed >> 8) }
    set { packed = packed & ~0xff00 | UInt64(newValue) << 8 }
  }

  /// What is known beside the numbers.
  @inlinable public var traits: Traits {
    get { Traits(rawValue: UInt8(truncatingIfNeeded: packed)) }
    set { packed = packed & ~0xff | UInt64(newValue.rawValue) }
  }

  @inlinable
  static func pack(_ allocated: Int64) -> UInt64 {
    UInt64(min(max(allocated, 0), 1 << 48 - 1)) << 16
  }

  /// What is known of a candidate.
  public struct Traits: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt8
    /// Wraps bits.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The object has been looked at: last use, length and allocation are the truth.
    @inlinable public static var exact: Traits { Traits(rawValue: 1) }
    /// The object has no record.
    @inlinable public static var stray: Traits { Traits(rawValue: 2) }
    /// The entry alone is more than a limit allows.
    @inlinable public static var oversized: Traits { Traits(rawValue: 4) }
    /// The object was not there when it was looked at.
    @inlinable public static var gone: Traits { Traits(rawValue: 8) }
    /// The recorded or the object's time lay in the future and counts as now.
    @inlinable public static var future: Traits { Traits(rawValue: 16) }
  }

  /// Puts a candidate together.
  @inlinable
  public init(
    name: EntryName, lastUse: Instant, bytes: Int64, allocated: Int64, cost: Int64,
    traits: Traits = []
  ) {
    self.name = name
    self.lastUse = lastUse
    self.bytes = bytes
    self.cost = cost
    packed = Self.pack(allocated) | UInt64(traits.rawValue)
  }

  /// Whether the numbers are the truth.
  public var isExact: Bool { traits.contains(.exact) }

  /// Where the candidate stands in the order of eviction.
  @inlinable
  public var key: Key {
    Key(isOversized: traits.contains(.oversized), lastUse: lastUse, name: name)
  }

  /// The order of eviction, a total one: what alone is more than a limit allows, then the least
  /// recently used, equal times by name.
  public struct Key: Sendable, Comparable {
    /// Goes before all others.
    public var isOversized: Bool
    /// The last use.
    public var lastUse: Instant
    /// The entry.
    public var name: EntryName

    /// Puts a key together.
    @inlinable
    public init(isOversized: Bool, lastUse: Instant, name: EntryName) {
      self.isOversized = isOversized
      self.lastUse = lastUse
      self.name = name
    }

    /// Whether `a` is evicted before `b`.
    @inlinable
    public static func < (a: Key, b: Key) -> Bool {
      if a.isOversized != b.isOversized { return a.isOversized }
      if a.lastUse != b.lastUse { return a.lastUse < b.lastUse }
      return a.name < b.name
    }
  }
}
