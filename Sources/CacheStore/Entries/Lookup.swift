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

  /// Opens a manifest for reading; nil where there is none.
  ///
  /// What is no regular file is not opened: a device might never end.
  func manifest(_ path: String) throws(Errno) -> OpenFile? {
    do throws(Errno) {
      guard try root.status(beneath: path).kind == .regular else { throw .notAFile }
      return try root.open(path, O_RDONLY | O_NONBLOCK)
    } catch {
      if error == .notFound { return nil }
      throw error
    }
  }

  /// The last records of etag.jsonl for the names that `isWanted` and whose keys begin with `prefix`;
  /// most lines of others are not parsed.
  func origins(
    of shard: Shard, beginningWith prefix: String = "", by records: RecordSet = .live,
    reader: LineReader = LineReader(), json: JSONReader = JSONReader(),
    only isWanted: (EntryName) -> Bool
  ) throws(Errno) -> [EntryName: OriginRecord] {
    guard let file = try manifest(Layout.origin(shard)) else { return [:] }
    let prefix = KeyPrefix(prefix)
    var found: [EntryName: OriginRecord] = [:]
    try reader.forEachLine(of: file) { line in
      if let name = OriginLine.leadingName(of: line.bytes), !isWanted(name) { return }
      if prefix.excludes(line) { return }
      switch OriginLine.read(line, with: json) {
      case .stored(let name, let record):
        if isWanted(name), prefix.includes(record.key) { found[name] = record }
      case .removed(let name): if records == .live { found[name] = nil }
      case .damaged: break
      }
    }
    return found
  }
}

/// How keys begin, also as manifests spell it.
struct KeyPrefix {
  private let bytes: [UInt8]
  private let escaped: ArraySlice<UInt8>

  init(_ text: String) {
    bytes = Array(text.utf8)
    var json = JSONText()
    json.value(text)
    escaped = json.bytes.dropFirst().dropLast()
  }

  func includes(_ key: CacheKey) -> Bool { key.text.utf8.starts(with: bytes) }

  /// Whether the first bytes of a line, where it is of the form that this library writes, tell that
  /// its key begins otherwise.
  func excludes(_ line: LineReader.Line) -> Bool {
    if bytes.isEmpty { return false }
    var cursor = LineCursor(line.bytes)
    return cursor.skip("{\"name\":\"") && cursor.name() != nil && cursor.skip("\",\"key\":\"")
      && !cursor.isBefore(escaped)
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
