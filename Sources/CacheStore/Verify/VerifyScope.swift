public import CacheModel

/// How much of a cache is to be checked.
public enum VerifyScope: Sendable {
  /// All of it.
  case everything
  /// A part, least recently verified first.
  case part(VerifyLimits)
  /// What failed when it was last checked.
  case failed
}

/// Where a check of a part ends.
///
/// Whichever comes first.
public struct VerifyLimits: Sendable {
  /// The share of entries, in millionths.
  public var share: Int64?
  /// Bytes to read, about: whole parts of the cache, one at least.
  public var bytes: Int64?
  /// Time to take, about: what has been begun is finished.
  public var duration: Duration?
  /// What is to be verified of the cache.
  public var promise: CoveragePromise?

  /// No limit yet.
  public init() {}
}

/// That a share of the cache's bytes was verified within a time.
public struct CoveragePromise: Sendable, Equatable {
  /// The share, in millionths.
  public var share: Int64
  /// How long ago the check may be.
  public var window: Duration

  /// Puts a promise together.
  public init(share: Int64, window: Duration) {
    self.share = share
    self.window = window
  }
}

/// How much of a cache was verified, and when.
public struct Coverage: Sendable, Equatable {
  /// Entries that have a record.
  public var entries: Int64 = 0
  /// Their bytes.
  public var bytes: Int64 = 0
  /// Entries that were verified within the window and since they were stored.
  public var coveredEntries: Int64 = 0
  /// Their bytes.
  public var coveredBytes: Int64 = 0
  /// When the part that waited longest was verified; nil where some never was.
  public var oldest: Instant?

  /// Nothing.
  public init() {}

  /// The verified share of the bytes, in millionths.
  ///
  /// Nothing is covered wholly.
  public var share: Int64 {
    guard bytes > 0 else { return entries == coveredEntries ? 1_000_000 : 0 }
    return Int64(Int128(coveredBytes) * 1_000_000 / Int128(bytes))
  }

  /// Takes in another part.
  mutating func merge(_ other: Coverage) {
    entries += other.entries
    bytes += other.bytes
    coveredEntries += other.coveredEntries
    coveredBytes += other.coveredBytes
  }
}
