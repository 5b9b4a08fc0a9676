internal import CLinux
public import CacheModel
internal import Glibc
internal import Synchronization

/// The stalest entries that a search found.
public struct StaleResult: Sendable {
  /// The entries, the stalest first.
  public var entries: [StaleEntry] = []
  /// Whether there are further ones behind the last; ask again with it.
  public var hasMore = false
  /// Shards whose etag.jsonl has more dead lines than live ones, and many.
  public var bloated: [Shard] = []
  /// Manifests that could not be read: path and reason.
  public var failures: [String] = []
}

extension Store {
  /// Entries kept by a search: some five mebibytes.
  private static let keptStale = 1 << 17

  /// Finds the stalest entries behind `cursor` from etag.jsonl alone, a shard at a time on as many
  /// threads as there are processors, in memory that does not grow with the cache.
  ///
  /// - Parameters:
  ///   - query: which ones.
  ///   - cursor: the last entry of the search before; nil to begin.
  /// - Returns: the entries, and whether there are more.
  public func stalest(_ query: StaleQuery, after cursor: StaleEntry? = nil) -> StaleResult {
    let pool = Mutex(StalePool(capacity: Self.keptStale))
    let rest = Mutex(StaleResult())
    let queue = WorkQueue(Shard.all.count)
    onThreads(processorCount) { [self] _ in
      var search = StaleSearch(self, query, after: cursor)
      while let index = queue.take() {
        do throws(Errno) {
          let found = try search.run(Shard.all[index])
          pool.withLock { $0.offer(found) }
        } catch {
          let path = Layout.origin(Shard.all[index])
          rest.withLock { $0.failures.append("cannot read \(path): \(error)") }
        }
        if search.isBloated { rest.withLock { $0.bloated.append(Shard.all[index]) } }
      }
    }
    var result = rest.withLock { $0 }
    pool.withLock { pool in
      result.entries = pool.sorted()
      result.hasMore = pool.horizon != nil
    }
    return result
  }
}

/// Searches shards one after the other.
///
/// For one thread.
private struct StaleSearch {
  private let store: Store
  private let query: StaleQuery
  private let cursor: StaleEntry?
  private let reader = LineReader()
  private let json = JSONReader()
  private var latest: [EntryName: Instant?] = [:]
  private let host: [UInt8]
  /// Whether the last shard's manifest wants rewriting.
  private(set) var isBloated = false

  init(_ store: Store, _ query: StaleQuery, after cursor: StaleEntry?) {
    self.store = store
    self.query = query
    self.cursor = cursor
    host = Array((query.host ?? "").utf8)
  }

  /// The entries of a shard that are to be asked about, in no order.
  mutating func run(_ shard: Shard) throws(Errno) -> [StaleEntry] {
    latest.removeAll(keepingCapacity: true)
    isBloated = false
    let file: OpenFile
    do { file = try store.root.open(Layout.origin(shard), O_RDONLY | O_NONBLOCK) } catch {
      if error == .notFound { return [] }
      throw error
    }
    var lines = 0
    try reader.forEachLine(of: file) { line in
      lines += 1
      if mayHoldHost(line.bytes) { self.take(OriginGlance.read(line, with: json)) }
    }
    let dead = lines - latest.count
    isBloated = query.host == nil && dead > max(latest.count, ShardScanner.toleratedDeadLines)
    return found
  }

  // The key is compared when the record is read; here it only must not be passed over.
  private func mayHoldHost(_ line: UnsafeRawBufferPointer) -> Bool {
    guard !host.isEmpty, OriginGlance.isOwn(line) else { return true }
    return host.withUnsafeBytes { host in
      guard let start = line.baseAddress, let wanted = host.baseAddress else { return true }
      return cachectl_find(start, line.count, wanted, host.count) != nil
    }
  }

  private mutating func take(_ glance: OriginGlance) {
    switch glance {
    case .stored(let name, let checked, let freshUntil):
      let isWanted = query.admits(checked: checked, freshUntil: freshUntil)
      latest[name] = .some(isWanted ? freshUntil : nil)
    case .removed(let name): latest[name] = nil
    case .damaged: break
    }
  }

  private var found: [StaleEntry] {
    latest.compactMap { name, freshUntil in
      guard let freshUntil else { return nil }
      let entry = StaleEntry(freshUntil: freshUntil, name: name)
      if let cursor, entry <= cursor { return nil }
      return entry
    }
  }
}
