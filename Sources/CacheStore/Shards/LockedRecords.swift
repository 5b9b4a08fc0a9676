internal import CacheModel

extension LockedShard {
  /// The shard's records as they stand; none where there is no manifest.
  func records() throws(StoreError) -> ShardRecords {
    var records = ShardRecords()
    try load(&records, reader: LineReader())
    return records
  }

  /// The same with memory that serves several shards.
  func load(_ records: inout ShardRecords, reader: LineReader) throws(StoreError) {
    records.clear()
    try StoreError.attempt("read", Layout.cost(shard)) { () throws(Errno) in
      _ = try cost.read { (file) throws(Errno) in
        try records.load(file, reader: reader, json: JSONReader())
      }
    }
  }

  /// Which manifest it is and how far it reaches; nil where there is none.
  func stamp() throws(StoreError) -> ManifestStamp? {
    let inode = try StoreError.attempt("look at", Layout.cost(shard)) { () throws(Errno) in
      try cost.read { (file) throws(Errno) in try file.status().inode }
    }
    return inode.map { ManifestStamp(inode: $0, length: cost.length) }
  }
}
