public import CacheModel
internal import Glibc

extension Store {
  /// What cost.jsonl holds of an entry; nil where it holds nothing.
  ///
  /// Reads the shard's manifest without a lock: a few milliseconds in a cache of a million entries.
  ///
  /// - Throws: ``StoreError`` where the manifest cannot be read.
  public func record(of name: EntryName) throws(StoreError) -> CostRecord? {
    try StoreError.attempt("read", Layout.cost(name.shard)) { () throws(Errno) in
      var records = ShardRecords()
      try records.load(name.shard, of: self, reader: LineReader(), json: JSONReader())
      return records.record(of: name)
    }
  }

  /// What etag.jsonl holds of an entry; nil where it holds nothing.
  ///
  /// - Throws: ``StoreError`` where the manifest cannot be read.
  public func origin(of name: EntryName) throws(StoreError) -> OriginRecord? {
    try StoreError.attempt("read", Layout.origin(name.shard)) { () throws(Errno) in
      try origins(of: name.shard, only: { $0 == name })[name]
    }
  }

  /// The last records of etag.jsonl for the names that `isWanted`; lines of others are not parsed.
  func origins(
    of shard: Shard, reader: LineReader = LineReader(), json: JSONReader = JSONReader(),
    only isWanted: (EntryName) -> Bool
  ) throws(Errno) -> [EntryName: OriginRecord] {
    let file: OpenFile
    do { file = try root.open(Layout.origin(shard), O_RDONLY | O_NONBLOCK) } catch {
      if error == .notFound { return [:] }
      throw error
    }
    var found: [EntryName: OriginRecord] = [:]
    try reader.forEachLine(of: file) { line in
      if let name = OriginLine.leadingName(of: line.bytes), !isWanted(name) { return }
      switch OriginLine.read(line, with: json) {
      case .stored(let name, let record): if isWanted(name) { found[name] = record }
      case .removed(let name): found[name] = nil
      case .damaged: break
      }
    }
    return found
  }
}

extension ShardRecords {
  /// Takes in a shard's cost.jsonl; a missing one holds nothing.
  mutating func load(
    _ shard: Shard, of store: Store, reader: LineReader, json: JSONReader
  ) throws(Errno) {
    let file: OpenFile
    do { file = try store.root.open(Layout.cost(shard), O_RDONLY | O_NONBLOCK) } catch {
      clear()
      if error == .notFound { return }
      throw error
    }
    try load(file, reader: reader, json: json)
  }
}
