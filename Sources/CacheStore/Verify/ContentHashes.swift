public import CacheModel

extension Store {
  /// The recorded hash of every entry of a shard that has one, in the order of their names, and how
  /// many have none.
  ///
  /// - Throws: ``StoreError`` where the manifest cannot be read.
  public func contentHashes(
    of shard: Shard
  ) throws(StoreError) -> (hashes: [(name: EntryName, hash: ContentHash)], without: Int) {
    try StoreError.attempt("read", Layout.cost(shard)) { () throws(Errno) in
      var records = ShardRecords()
      try records.load(shard, of: self, reader: LineReader(), json: JSONReader())
      let live = records.slots.filter(\.isLive).map(\.record)
      let hashes = live.compactMap { record in record.hash.map { (name: record.name, hash: $0) } }
      return (hashes.sorted { $0.name < $1.name }, live.count - hashes.count)
    }
  }
}
