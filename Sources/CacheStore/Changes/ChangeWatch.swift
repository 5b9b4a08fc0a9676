internal import CacheModel
internal import Glibc

/// Follows what all processes do to a cache, from the moment it is made.
///
/// The kernel tells which manifests were written (inotify(7)), and these tell what happened. Where more
/// happens than the kernel keeps, all manifests are looked at: nothing is lost. It sees what the writers of
/// this host do; on a network mount those of others stay unseen. For one thread at a time.
public final class ChangeWatch {
  private let store: Store
  private let events: OpenFile
  private var tails: [ShardTail]
  private var shards: [Int32: Shard] = [:]
  private let reader = LineReader()
  private let json = JSONReader()
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  /// Changes that come this soon after one another are told together.
  static let coalescing = Duration.milliseconds(20)

  /// Begins to watch.
  ///
  /// - Throws: ``StoreError`` where the kernel has no room for 256 more watches
  ///   (/proc/sys/fs/inotify).
  public init(_ store: Store) throws(StoreError) {
    self.store = store
    let descriptor = try StoreError.attempt("watch", store.path) { () throws(Errno) in
      try Errno.check { inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) }
    }
    events = OpenFile(owning: descriptor)
    var shards: [Int32: Shard] = [:]
    for shard in Shard.all {
      let watch = try StoreError.attempt("watch", Layout.manifests(shard)) { () throws(Errno) in
        try Self.watch(shard, of: store, descriptor)
      }
      if let watch { shards[watch] = shard }
    }
    self.shards = shards
    // Behind the watches: what comes from now on shows.
    tails = Shard.all.map { ShardTail($0, of: store) }
  }

  /// Nil where the shard has no folder.
  private static func watch(
    _ shard: Shard, of store: Store, _ events: Int32
  ) throws(Errno) -> Int32? {
    do {
      let folder = try store.root.directory(Layout.manifests(shard))
      // By its descriptor, so that no link is followed on the way.
      let path = "/proc/self/fd/\(folder.descriptor)"
      return try Errno.check {
        inotify_add_watch(events, path, UInt32(IN_MODIFY | IN_MOVED_TO | IN_CREATE))
      }
    } catch {
      if error == .notFound { return nil }
      throw error
    }
  }

  /// Waits for changes and tells them, shard by shard.
  ///
  /// - Parameter end: a descriptor that ends the waiting once it is readable, or its other end closed; nil: none.
  /// - Returns: what happened, at least one change; nil once the end came.
  /// - Throws: ``StoreError`` where the kernel fails to wait.
  public func next(until end: Int32? = nil) throws(StoreError) -> [CacheChange]? {
    while true {
      guard try wait(until: end) else { return nil }
      usleep(UInt32(Self.coalescing / .microseconds(1)))
      let changes = written().sorted().flatMap { shard in
        tails[Int(shard.number)].follow(store, reader, json)
      }
      if !changes.isEmpty { return changes }
    }
  }

  /// Waits until something was written; false once the end came.
  private func wait(until end: Int32?) throws(StoreError) -> Bool {
    var polled = [pollfd(fd: events.descriptor, events: Int16(POLLIN), revents: 0)]
    if let end { polled.append(pollfd(fd: end, events: Int16(POLLIN), revents: 0)) }
    _ = try StoreError.attempt("watch", store.path) { () throws(Errno) in
      try Errno.check { poll(&polled, nfds_t(polled.count), -1) }
    }
    return polled.count < 2 || polled[1].revents == 0
  }

  /// The shards that something was written in; all of them where the kernel lost count.
  private func written() -> Set<Shard> {
    var written: Set<Shard> = []
    while true {
      let got = read(events.descriptor, &buffer, buffer.count)
      if got <= 0 { return written }
      buffer.withUnsafeBytes { bytes in
        var at = 0
        while at < got {
          let watch = bytes.loadUnaligned(fromByteOffset: at, as: Int32.self)
          let mask = bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self)
          let length = bytes.loadUnaligned(fromByteOffset: at + 12, as: UInt32.self)
          if mask & UInt32(IN_Q_OVERFLOW) != 0 { written.formUnion(Shard.all) }
          if let shard = shards[watch] { written.insert(shard) }
          at += 16 + Int(length)
        }
      }
    }
  }
}
