internal import CacheModel
internal import Synchronization

/// Counts the changes that this process makes to entries, so that what was read before one is not taken
/// for what is there after it.
///
/// Keys share counters: a change of one costs a few others a look at the disk.
final class EntryChanges: Sendable {
  private static let size = 64

  private let counts = Mutex([UInt64](repeating: 0, count: size))

  private func place(of key: CacheKey) -> Int { Int(key.hashValue.magnitude % UInt(Self.size)) }

  /// How often the entry was changed, for comparing.
  func count(of key: CacheKey) -> UInt64 {
    let place = place(of: key)
    return counts.withLock { $0[place] }
  }

  /// Counts a change that has been made, and does what follows from it before anybody keeps anything else.
  func note(_ key: CacheKey, _ body: () -> Void) {
    let place = place(of: key)
    counts.withLock { counts in
      counts[place] += 1
      body()
    }
  }

  /// Does what is right only while the entry is as it was when it was wanted.
  func unlessChanged(since wanted: WantedKey, _ body: () -> Void) {
    let place = place(of: wanted.key)
    counts.withLock { counts in if counts[place] == wanted.change { body() } }
  }
}
