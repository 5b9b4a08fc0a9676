public import CacheModel
public import CachePlan

/// An image in memory, and how it came there.
public struct CachedImage: Sendable {
  /// Which tier it comes from.
  public enum Source: Sendable, Hashable {
    /// From memory: nothing was read and nobody asked.
    case memory
    /// From disk, without asking.
    case disk
    /// From disk or memory, confirmed by its origin just now.
    case confirmed
    /// From its origin, and stored.
    case received
    /// From its origin, which forbids storing it; it is not in memory either.
    case notKept
    /// From disk or memory although it is stale: its origin could not be asked, for this reason.
    case stale(String)
  }

  /// What it was asked for by.
  public let key: CacheKey
  /// The image, as its origin sent it.
  public let bytes: [UInt8]
  /// What is known of its type and freshness.
  public let freshness: FreshnessMetadata
  /// Which tier it comes from.
  public let source: Source
}

/// Why there is no image.
public enum ImageFailure: Error, Sendable, Hashable {
  /// The text is no key, for this reason.
  case notAKey(String)
  /// The origin says that there is none.
  case gone
  /// The origin could not be asked or sent something else, for this reason.
  case failed(String)
  /// The task was cancelled; the request goes on for others that wait for it.
  case cancelled
}

extension ImageFailure: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .notAKey(let reason): reason
    case .gone: "the origin has no such image"
    case .failed(let reason): reason
    case .cancelled: "the task was cancelled"
    }
  }
}
