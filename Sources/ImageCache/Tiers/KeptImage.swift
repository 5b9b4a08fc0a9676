internal import CacheModel
internal import CachePlan
internal import CacheStore
internal import Synchronization

/// An image in the memory tier.
final class KeptImage: Sendable {
  let bytes: [UInt8]
  let freshness: FreshnessMetadata
  /// Milliseconds since 1970 of the last use that the disk knows of.
  private let recorded: Atomic<Int64>

  init(_ bytes: [UInt8], _ freshness: FreshnessMetadata, used: Instant) {
    self.bytes = bytes
    self.freshness = freshness
    recorded = Atomic(used.milliseconds)
  }

  /// Whether a use is to be recorded on disk, where an image that only memory gives out would look
  /// unused: true for one caller in a minute.
  func isUseDue(_ now: Instant) -> Bool {
    let last = recorded.load(ordering: .relaxed)
    guard now.milliseconds - last >= 60_000 else { return false }
    return recorded.compareExchange(
      expected: last, desired: now.milliseconds, ordering: .relaxed
    ).exchanged
  }

  func image(_ key: CacheKey, _ source: CachedImage.Source) -> CachedImage {
    CachedImage(key: key, bytes: bytes, freshness: freshness, source: source)
  }
}
