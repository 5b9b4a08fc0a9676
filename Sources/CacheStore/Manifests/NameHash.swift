internal import CacheModel

/// Hashes names for a table.
///
/// Names are digests only where nobody forges them: mixing with a seed keeps a hostile manifest from
/// putting all its names in one place.
struct NameHash {
  private let seed = UInt64.random(in: .min ... .max)

  @inline(__always)
  func callAsFunction(_ name: EntryName) -> UInt64 {
    let (high, low) = (name.words.0 ^ name.words.2 ^ seed)
      .multipliedFullWidth(by: name.words.1 ^ name.words.3 &+ seed | 1)
    return high ^ low
  }
}
