public import CacheModel

/// What some process has done to a cache.
public enum CacheChange: Sendable, Hashable {
  /// An image was stored, of so many bytes.
  case stored(EntryName, bytes: Int64)
  /// An entry was removed or evicted.
  case removed(EntryName)
  /// What is known of an entry's origin has changed, its image has not: it was asked about.
  case updated(EntryName)
  /// The records of a shard were written anew, and what happened to them just before is not told: look
  /// at the shard again.
  case rewritten(Shard)

  /// The shard that it happened in.
  public var shard: Shard {
    switch self {
    case .stored(let name, _), .removed(let name), .updated(let name): name.shard
    case .rewritten(let shard): shard
    }
  }

  /// The entry; nil where it is of a whole shard.
  public var name: EntryName? {
    switch self {
    case .stored(let name, _), .removed(let name), .updated(let name): name
    case .rewritten: nil
    }
  }
}
