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

  /// Opens a manifest for reading; nil where there is none. What is no regular file is not opened: a
  /// device might never end.
  func manifest(_ path: String) throws(Errno) -> OpenFile? {
    do throws(Errno) {
      guard try root.status(beneath: path).kind == .regular else { throw .notAFile }
      return try root.open(path, O_RDONLY | O_NONBLOCK)
    } catch {
      if error == .notFound { return nil }
      throw error
    }
  }

  /// The last records of etag.jsonl for the names that `isWanted`; lines of others are not parsed.
  func origins(
    of shard: Shard, only isWanted: (EntryName) -> Bool
  ) throws(Errno) -> [EntryName: OriginRecord] {
    guard let file = try manifest(Layout.origin(shard)) else { return [:] }
    let json = JSONReader()
    var found: [EntryName: OriginRecord] = [:]
    try LineReader().forEachLine(of: file) { line in
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
    clear()
    guard let file = try store.manifest(Layout.cost(shard)) else { return }
    try load(file, reader: reader, json: json)
  }
}
