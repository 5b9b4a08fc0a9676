public import CacheModel
public import CachePlan
public import CacheStore

/// An image that was read through the cache, or why there is none.
public struct ImageAnswer: ~Copyable, Sendable {
  /// Where it comes from.
  public enum Source: Sendable, Hashable {
    /// From disk, without asking.
    case fresh
    /// From disk, confirmed by its origin just now.
    case confirmed
    /// From its origin, and stored.
    case received
    /// From its origin, which forbids storing it.
    case notKept
    /// From disk although it is stale, for this reason: its origin could not be asked, or is being
    /// asked by somebody else and allows that meanwhile.
    case stale(String)
    /// There is none: the origin says so.
    case gone
    /// There is none: the origin could not be asked, or sent something else.
    case failed(String)
  }

  /// What was asked for.
  public var key: CacheKey { wanted.key }
  let wanted: WantedKey
  /// Where it comes from.
  public let source: Source
  /// The image, open; nil where there is none.
  public let object: OpenObject?
  /// What is known of its type and freshness; nil where there is none.
  public let freshness: FreshnessMetadata?

  /// The image's length; nil where there is none.
  public let byteCount: Int64?

  /// Gives the image to `take`, piece by piece, until it says that it is enough.
  ///
  /// - Throws: `StoreError` when the disk fails.
  public borrowing func readObject(
    _ take: (UnsafeRawBufferPointer) -> Bool
  ) throws(StoreError) {
    try object?.read(take)
  }

  init(
    _ wanted: WantedKey, _ source: Source, _ object: consuming OpenObject? = nil,
    _ freshness: FreshnessMetadata? = nil
  ) {
    self.wanted = wanted
    self.source = source
    if let object = consume object {
      byteCount = object.byteCount
      self.object = consume object
    } else {
      byteCount = nil
      self.object = nil
    }
    self.freshness = freshness
  }
}
