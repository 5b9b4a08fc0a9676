public import CacheModel
internal import Glibc
internal import Synchronization

extension Store {
  /// Reads the records of entries that are to be asked about; those that no record holds any more
  /// are left out.
  ///
  /// Reads each shard's manifests once, several shards at once, without a lock.
  ///
  /// - Parameters:
  ///   - names: the entries.
  ///   - query: what their keys must be besides.
  ///   - needsObject: whether those without an object are left out.
  /// - Returns: the entries that can be asked about, and the paths that could not be read and why.
  public func askable(
    _ names: [EntryName], query: StaleQuery? = nil, needsObject: Bool = true
  ) -> (entries: [EntryName: AskableEntry], failures: [String]) {
    let byShard = Dictionary(grouping: names, by: \.shard)
    let shards = byShard.keys.sorted()
    let found = Mutex<(entries: [EntryName: AskableEntry], failures: [String])>(([:], []))
    let queue = WorkQueue(shards.count)
    onThreads(min(processorCount, shards.count)) { [self] _ in
      var reader = AskableReader(self, query, needsObject: needsObject)
      while let index = queue.take() {
        let shard = shards[index]
        do throws(Errno) {
          let entries = try reader.read(Set(byShard[shard] ?? []), of: shard)
          found.withLock { result in for entry in entries { result.entries[entry.name] = entry } }
        } catch {
          found.withLock { $0.failures.append("cannot read \(Layout.manifests(shard)): \(error)") }
        }
      }
    }
    return found.withLock { $0 }
  }

  /// The same of one entry, whose lines are found without reading the shard's others; nil where it
  /// cannot be asked about.
  public func askable(_ name: EntryName, needsObject: Bool = true) -> AskableEntry? {
    // What cannot be read or told this way is read whole.
    if let known = try? askableByIndex(name, needsObject: needsObject) { return known.entry }
    return askable([name], needsObject: needsObject).entries[name]
  }

  /// Nil where the index cannot tell.
  func askableByIndex(
    _ name: EntryName, needsObject: Bool
  ) throws(Errno) -> (entry: AskableEntry?, Void)? {
    let witness = witness(of: name.shard)
    // Its time first, as in AskableReader.
    let modified = try root.status(beneath: Layout.objects(name.shard)).modifiedNanoseconds
    guard let cost = try index.cost(of: name, in: self),
      let origin = try index.origin(of: name, in: self)
    else { return nil }
    guard let record = cost.record, let stamp = cost.stamp, let originRecord = origin.record else {
      return (nil, ())
    }
    let isTrusted =
      cost.damagedLineCount == 0
      && witness == Witness(directoryModified: modified, manifestLength: stamp.length)
    // The object would have to be read as well.
    if !isTrusted, isImpatient { return nil }
    return (entry(originRecord, record, stamp, isTrusted: isTrusted, needsObject), ())
  }

  fileprivate func witness(of shard: Shard) -> Witness? {
    // Whatever keeps it from being read only costs a look at the objects.
    guard let file = try? root.open(Layout.lock(shard), O_RDONLY | O_NONBLOCK) else { return nil }
    return try? Witness(in: file)
  }

  fileprivate func entry(
    _ origin: OriginRecord, _ cost: CostRecord, _ stamp: ManifestStamp, isTrusted: Bool,
    _ needsObject: Bool
  ) -> AskableEntry? {
    let isOfRecord = origin.hash != nil && origin.hash == cost.hash
    if isTrusted {
      return AskableEntry(origin: origin, cost: cost, isValidated: isOfRecord, stamp: stamp)
    }
    // An interrupted store leaves the new validators beside the old object.
    let hash = needsObject || isOfRecord ? contentHash(of: cost.name) : nil
    if hash == nil, needsObject { return nil }
    return AskableEntry(
      origin: origin, cost: cost, isValidated: isOfRecord && hash == cost.hash, stamp: stamp)
  }

  /// The hash of an entry's object as it is on disk; nil where there is none that can be read.
  public func contentHash(of name: EntryName) -> ContentHash? {
    guard let object = open(name) else { return nil }
    return try? object.contentHash()
  }

  /// The last use of an entry: the later of its record's and its object's time.
  public func lastUse(of entry: AskableEntry, now: Instant) -> Instant {
    // Without an object the record is all that is known.
    let status = try? root.status(beneath: Layout.object(entry.name))
    return min(max(entry.cost.used, status?.modified ?? entry.cost.used), now)
  }
}

/// Reads shards one after the other.
///
/// For one thread.
private struct AskableReader {
  private let store: Store
  private let query: StaleQuery?
  private let needsObject: Bool
  private let reader = LineReader()
  private let json = JSONReader()
  private var records = ShardRecords()

  init(_ store: Store, _ query: StaleQuery?, needsObject: Bool) {
    self.store = store
    self.query = query
    self.needsObject = needsObject
  }

  mutating func read(
    _ names: Set<EntryName>, of shard: Shard
  ) throws(Errno) -> [AskableEntry] {
    let witness = store.witness(of: shard)
    // Its time first: a change while the manifest is being read then shows as a difference.
    let modified = try store.root.status(beneath: Layout.objects(shard)).modifiedNanoseconds
    guard let stamp = try loadCost(of: shard) else { return [] }
    let isTrusted =
      records.damagedLineCount == 0
      && witness == Witness(directoryModified: modified, manifestLength: stamp.length)
    let origins = try store.origins(
      of: shard, reader: reader, json: json, only: names.contains)
    return origins.compactMap { name, origin in
      guard query?.admits(origin.key) != false, let cost = records.record(of: name) else {
        return nil
      }
      return store.entry(origin, cost, stamp, isTrusted: isTrusted, needsObject)
    }
  }

  private mutating func loadCost(of shard: Shard) throws(Errno) -> ManifestStamp? {
    guard let file = try store.manifest(Layout.cost(shard)) else { return nil }
    let inode = try file.status().inode
    try records.load(file, reader: reader, json: json)
    return ManifestStamp(inode: inode, length: records.length)
  }
}
