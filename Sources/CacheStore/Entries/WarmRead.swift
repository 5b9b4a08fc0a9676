internal import CLinux
public import CacheModel
internal import Glibc

/// An entry that was read whole without waiting for a disk.
public struct WarmEntry: Sendable {
  /// Its records.
  public let entry: AskableEntry
  /// Its image.
  public let bytes: [UInt8]
  /// Whether reading it is a use to record: touching it may wait.
  public let isUseDue: Bool
}

extension Store {
  /// Longer images are left to whoever may wait: copying them takes as long as a disk.
  private static let longestReadAtOnce: Int64 = 1 << 20

  /// Reads an entry whose records and image the kernel has in memory; nil where anything of it would
  /// have to be waited for, or is not there.
  ///
  /// For threads that must not block, such as those that tasks run on. Needs Linux 5.12 and a file system
  /// that reads without waiting (openat2(2), RESOLVE_CACHED; preadv2(2), RWF_NOWAIT); elsewhere nil.
  ///
  /// - Parameters:
  ///   - key: what the entry is asked for by.
  ///   - now: the present.
  ///   - isWanted: tells by its records whether its image is to be read.
  /// - Returns: what was read.
  public func readAtOnce(
    _ key: CacheKey, now: Instant, where isWanted: (AskableEntry) -> Bool
  ) -> WarmEntry? {
    let name = key.name
    return withoutWaiting {
      guard let entry = (try? askableByIndex(name, needsObject: true))?.entry,
        entry.cost.bytes <= Self.longestReadAtOnce, isWanted(entry),
        // Its name is in memory then, and looking at it waits for nothing.
        (try? root.open(Layout.object(name), Int32(CACHECTL_O_PATH))) != nil,
        let object = open(name), object.byteCount == entry.cost.bytes,
        let bytes = try? object.bytes(), bytes.count == Int(object.byteCount)
      else { return nil }
      return WarmEntry(entry: entry, bytes: bytes, isUseDue: isUseDue(object, now: now))
    }
  }
}
