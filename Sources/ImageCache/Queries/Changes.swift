public import CacheStore
internal import Glibc
internal import Synchronization

extension ImageCache {
  /// What any process does to the cache from now on, as it happens: changes that come soon after one
  /// another together, of several to one entry the last.
  ///
  /// However many come, none is lost: see `ChangeWatch`. Each sequence is for one walk.
  ///
  /// - Returns: the changes, until the task that walks is cancelled or lets go of them.
  /// - Throws: `StoreError` where the kernel has no room for the watches.
  public func changes() throws(StoreError) -> CacheChanges { try CacheChanges(store) }
}

/// What happens to a cache.
public struct CacheChanges: AsyncSequence, Sendable {
  private let stream: AsyncThrowingStream<[CacheChange], any Error>

  init(_ store: Store) throws(StoreError) {
    let watch = Mutex(try ChangeWatch(store))
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw StoreError("watch", store.path, .system(Errno(errno))) }
    let (heard, said) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: [CacheChange].self)
    // The watch waits on a thread of its own until the other end is closed.
    continuation.onTermination = { _ in close(said) }
    let job = WatchJob(watch)
    let isStarted = startThread {
      defer { close(heard) }
      job.run(until: heard, continuation)
    }
    if !isStarted { continuation.finish() }
    self.stream = stream
  }

  /// Walks over batches of changes.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: AsyncThrowingStream<[CacheChange], any Error>.Iterator

    /// The next changes; nil at the end.
    public mutating func next() async throws -> [CacheChange]? { try await base.next() }
  }

  /// Begins the walk.
  public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }
}

/// A watch on its way to its thread.
private final class WatchJob: Sendable {
  private let watch: Mutex<ChangeWatch>

  init(_ watch: consuming Mutex<ChangeWatch>) { self.watch = watch }

  func run(
    until end: Int32, _ continuation: AsyncThrowingStream<[CacheChange], any Error>.Continuation
  ) {
    watch.withLock { watch in
      do throws(StoreError) {
        while let changes = try watch.next(until: end) { continuation.yield(changes) }
        continuation.finish()
      } catch { continuation.finish(throwing: error) }
    }
  }
}
