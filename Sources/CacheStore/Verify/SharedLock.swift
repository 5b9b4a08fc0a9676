internal import CacheModel
internal import Glibc

/// The shard's lock, shared with other readers: while it is held, no writer is in the middle of a
/// change.
struct SharedLock: ~Copyable {
  private let file: OpenFile?

  /// Whether it could be had: a reader may lack the right, and a writer may have been stopped.
  var isHeld: Bool { file != nil }

  /// Waits at most ten seconds, in steps: a gc may hold the lock for a batch of removals.
  init(_ shard: Shard, of store: Store) {
    file = Self.lock(shard, of: store)
  }

  private static func lock(_ shard: Shard, of store: Store) -> OpenFile? {
    for _ in 0..<1000 {
      // Whatever keeps the lock from being had only makes the look slower.
      guard let file = try? store.root.open(Layout.lock(shard), O_RDONLY | O_NONBLOCK),
        let status = try? file.status(), status.kind == .regular
      else { return nil }
      if (try? file.lock(exclusive: false, blocking: false)) != nil { return file }
      usleep(10_000)
    }
    return nil
  }
}
