internal import CacheModel
internal import Glibc
internal import Synchronization

extension Store {
  /// Stores every regular file of a tree, or one file, under the base URL and its path in the tree.
  ///
  /// A file whose length and content are what the cache holds under its key is left as it is, so that
  /// a second import of a tree stores nothing. Symbolic links are not followed, and the cache itself
  /// is left out where the tree holds it. What cannot be read or stored is a failure in the outcome,
  /// and the others go on. Memory does not grow with the tree.
  ///
  /// - Parameters:
  ///   - path: the tree, as bytes: it need not be UTF-8.
  ///   - orders: keys, and what is to be told meanwhile.
  /// - Returns: what was stored, left out and refused.
  /// - Throws: ``StoreError`` where `path` itself cannot be opened.
  public func importTree(
    at path: [UInt8], _ orders: ImportOrders
  ) throws(StoreError) -> ImportOutcome {
    let shown = path.withUnsafeBytes(printable)
    var walk = try StoreError.attempt("open", shown) { () throws(Errno) in
      try TreeWalk(path: path, cache: root.status())
    }
    var outcome = ImportOutcome()
    var round = ImportRound()
    while !orders.shouldStop(), let files = walk.next() {
      for file in files { round.add(file, of: walk.root, orders, &outcome) }
      if round.isFull { outcome.merge(round.run(self, orders)) }
    }
    outcome.merge(round.run(self, orders))
    outcome.merge(walk.outcome)
    outcome.wasStopped = orders.shouldStop()
    return outcome
  }
}

/// Files that are imported together, shard by shard: each shard's records are read once.
private struct ImportRound {
  private var files: [SourceFile] = []

  /// A round is this long: some 100 files a shard, and a few megabytes of paths.
  private static let longest = 1 << 15

  var isFull: Bool { files.count >= Self.longest }

  mutating func add(
    _ path: [UInt8], of root: SourceRoot, _ orders: ImportOrders, _ outcome: inout ImportOutcome
  ) {
    do {
      let key = try orders.key(of: path)
      files.append(SourceFile(root: root, path: path, key: key, number: files.count))
    } catch { outcome.fail(root.shown(path), "\(error)") }
  }

  /// Imports what was added, on several threads, and forgets it.
  mutating func run(_ store: Store, _ orders: ImportOrders) -> ImportOutcome {
    // Of two files with one key the later one holds.
    files.sort { ($0.name, $0.number) < ($1.name, $1.number) }
    let files = self.files
    self.files.removeAll(keepingCapacity: true)
    let runs = files.shardRuns()
    let queue = WorkQueue(runs.count)
    let whole = Mutex(ImportOutcome())
    onThreads(min(max(2, processorCount), runs.count)) { _ in
      var shardImport = ShardImport(store, orders)
      while !orders.shouldStop(), let index = queue.take() {
        let outcome = shardImport.run(files[runs[index]])
        orders.progress(
          outcome.stored + outcome.unchanged + outcome.failureCount,
          outcome.storedBytes + outcome.unchangedBytes)
        whole.withLock { $0.merge(outcome) }
      }
    }
    return whole.withLock { $0 }
  }
}

/// A file to be imported.
struct SourceFile: Sendable {
  let root: SourceRoot
  /// Relative to the root; need not be UTF-8.
  let path: [UInt8]
  let key: CacheKey
  let name: EntryName
  /// Its place among the files of its round.
  let number: Int

  init(root: SourceRoot, path: [UInt8], key: CacheKey, number: Int) {
    self.root = root
    self.path = path
    self.key = key
    self.number = number
    name = key.name
  }
}

extension [SourceFile] {
  /// The ranges of each shard, where names are in order.
  fileprivate func shardRuns() -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = 0
    for index in indices.dropFirst() where self[index].name.shard != self[start].name.shard {
      runs.append(start..<index)
      start = index
    }
    return isEmpty ? [] : runs + [start..<count]
  }
}
