public import CacheModel
internal import Glibc
internal import Synchronization

/// Reads entries a shard at a time, in the order of their names: a cache of any size in the memory
/// that one of its 256 shards takes.
///
/// Takes no lock and moves no time. Shards whose witness holds are not listed. For one thread; see
/// ``Store/forEachShard(now:depth:_:)``.
///
///     let reader = try EntryReader(store, now: .now)
///     for shard in Shard.all {
///       for entry in reader.entries(of: shard, matching: EntryQuery()) { … }
///     }
public final class EntryReader {
  private let store: Store
  private let now: Instant
  private var scanner: ShardScanner
  private let reader = LineReader()
  private let json = JSONReader()
  /// What the last shard that was read came to: problems, strays, missing objects.
  public private(set) var census = Census()

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - store: the cache.
  ///   - now: what times in the future are held to.
  ///   - depth: how closely to look at each shard, whatever is asked of it.
  /// - Throws: ``StoreError`` where the file system cannot be asked for its state.
  public convenience init(
    _ store: Store, now: Instant, depth: ScanRequest.Depth = .index
  ) throws(StoreError) {
    self.init(store, ScanRequest(now: now, depth: depth), room: try store.fileSystem())
  }

  init(
    _ store: Store, _ request: ScanRequest, room: FileSystemStatus,
    history: EvictionHistory = EvictionHistory()
  ) {
    self.store = store
    now = request.now
    scanner = ShardScanner(store, request, room: room, history: history)
  }

  /// The entries of one shard that are wanted, in the order of their names, the first `limit` of
  /// them.
  ///
  /// What cannot be read is a problem in ``census``.
  public func entries(
    of shard: Shard, matching query: EntryQuery, atMost limit: Int = .max
  ) -> [Entry] {
    var candidates = candidates(of: shard).filter { query.admits($0) }
    candidates.sort { $0.name < $1.name }
    if query.asksLabels {
      let labels = labels(of: shard)
      candidates.removeAll { !query.admits(labels, $0.name) }
    }
    var origins: [EntryName: OriginRecord]?
    if let prefix = query.prefix {
      let found = self.origins(of: shard, beginningWith: prefix) { _ in true }
      candidates.removeAll { found[$0.name] == nil }
      origins = found
    }
    let chosen = look(at: candidates, of: shard, query, atMost: limit)
    if query.details.contains(.origin), origins == nil {
      let names = Set(chosen.map(\.name))
      origins = self.origins(of: shard, only: names.contains)
    }
    return chosen.map { candidate in
      var entry = Entry(candidate, scanner.records.record(of: candidate.name))
      entry.origin = origins?[candidate.name]
      return entry
    }
  }

  /// Looks at objects, where that was asked for or decides, until there are enough.
  private func look(
    at candidates: [Candidate], of shard: Shard, _ query: EntryQuery, atMost limit: Int
  ) -> [Candidate] {
    guard query.details.contains(.object) || query.usedBefore != nil else {
      return Array(candidates.prefix(limit))
    }
    let look: ObjectLook
    do { look = try ObjectLook(shard, of: store, now: now) } catch {
      census.note(.init(.unreadable, Layout.objects(shard), "\(error)"))
      return []
    }
    var chosen: [Candidate] = []
    for var candidate in candidates where chosen.count < limit {
      if look.look(at: &candidate) == .object, query.admits(candidate) { chosen.append(candidate) }
    }
    return chosen
  }

  /// What the records of a shard, or its listing, tell of its entries, in no order.
  func candidates(of shard: Shard) -> [Candidate] {
    scanner.scan(shard)
    census = scanner.census
    return scanner.batch
  }

  /// The same candidates with the truth of their objects; what is gone is left out.
  func looked(at candidates: [Candidate], of shard: Shard) -> [Candidate] {
    guard let look = try? ObjectLook(shard, of: store, now: now) else { return [] }
    return candidates.compactMap { candidate in
      var candidate = candidate
      return look.look(at: &candidate) == .object ? candidate : nil
    }
  }

  /// Gives every line of a shard's etag.jsonl out.
  func readOrigins(
    of shard: Shard, _ take: (LineReader.Line, JSONReader) -> Void
  ) throws(Errno) {
    guard let file = try store.manifest(Layout.origin(shard)) else { return }
    try reader.forEachLine(of: file) { take($0, json) }
  }

  func note(_ problem: Census.Problem) { census.note(problem) }

  private func origins(
    of shard: Shard, beginningWith prefix: String = "", only isWanted: (EntryName) -> Bool
  ) -> [EntryName: OriginRecord] {
    do {
      return try store.origins(
        of: shard, beginningWith: prefix, reader: reader, json: json, only: isWanted)
    } catch {
      census.note(.init(.unreadable, Layout.origin(shard), "\(error)"))
      return [:]
    }
  }
}

extension Store {
  /// Gives every shard to `body`, on as many threads as there are processors, each with a reader of
  /// its own; ends early once `body` says so.
  ///
  /// - Throws: ``StoreError`` where the file system cannot be asked for its state.
  public func forEachShard(
    now: Instant, depth: ScanRequest.Depth = .index,
    _ body: @Sendable (EntryReader, Shard) -> ShardWalk
  ) throws(StoreError) {
    let room = try fileSystem()
    let history = EvictionHistory(of: self)
    let queue = WorkQueue(Shard.all.count)
    let isStopped = Atomic<Bool>(false)
    withoutActuallyEscaping(body) { body in
      onThreads(processorCount) { [self] _ in
        let reader = EntryReader(
          self, ScanRequest(now: now, depth: depth), room: room, history: history)
        while !isStopped.load(ordering: .relaxed), let index = queue.take() {
          if body(reader, Shard.all[index]) == .stop { isStopped.store(true, ordering: .relaxed) }
        }
      }
    }
  }
}

/// Whether a walk over the shards goes on.
public enum ShardWalk: Sendable { case goOn, stop }
