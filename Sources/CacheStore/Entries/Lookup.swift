public import CacheModel
internal import Glibc

extension Store {
  /// What cost.jsonl holds of an entry; nil where it holds nothing.
  ///
  /// Takes no lock. The first look-up in a shard reads its manifest, a few milliseconds in a cache of a
  /// million entries; the next ones read what was appended since, and a line.
  ///
  /// - Throws: ``StoreError`` where the manifest cannot be read.
  public func record(of name: EntryName) throws(StoreError) -> CostRecord? {
    try StoreError.attempt("read", Layout.cost(name.shard)) { () throws(Errno) in
      if let found = try index.cost(of: name, in: self) { return found.record }
      var records = ShardRecords()
      try records.load(name.shard, of: self, reader: LineReader(), json: JSONReader())
      return records.record(of: name)
    }
  }

  /// What etag.jsonl holds of an entry, read as ``record(of:)`` does; nil where it holds nothing.
  ///
  /// - Throws: ``StoreError`` where the manifest cannot be read.
  public func origin(of name: EntryName) throws(StoreError) -> OriginRecord? {
    try StoreError.attempt("read", Layout.origin(name.shard)) { () throws(Errno) in
      if let found = try index.origin(of: name, in: self) { return found.record }
      return try origins(
        of: name.shard, reader: LineReader(), json: JSONReader(), only: { $0 == name })[
          name]
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
    reader: LineReader, json: JSONReader, only isWanted: (EntryName) -> Bool
  ) throws(Errno) -> [EntryName: OriginRecord] {
    guard let file = try manifest(Layout.origin(shard)) else { return [:] }
    var lines = OriginLines(KeyPrefix(prefix), records, json)
    try reader.forEachLine(of: file) { lines.note($0, isWanted) }
    for place in lines.noted.values { lines.readNoted(try reader.line(of: file, at: place)) }
    if lines.isMisled {
      lines.begin()
      try reader.forEachLine(of: file) { lines.read($0, isWanted) }
    }
    return lines.found
  }
}

/// Reads the last records of some names.
///
/// An entry has a line for each time that its origin was asked:
/// where the last one stands is found without a parser, and only that is read.
private struct OriginLines {
  private(set) var found: [EntryName: OriginRecord] = [:]
  /// Whether a line that looked right is no record: then what it hid has to be read as well.
  private(set) var isMisled = false
  /// Where the last lines are that were not read yet.
  private(set) var noted: [EntryName: Range<Int64>] = [:]
  private let prefix: KeyPrefix
  private let records: RecordSet
  private let json: JSONReader

  init(_ prefix: KeyPrefix, _ records: RecordSet, _ json: JSONReader) {
    self.prefix = prefix
    self.records = records
    self.json = json
  }

  mutating func begin() { found = [:] }

  mutating func note(_ line: LineReader.Line, _ isWanted: (EntryName) -> Bool) {
    guard let name = OriginLine.leadingName(of: line.bytes), OriginGlance.isOwn(line.bytes),
      !line.isTooLong, LineSum.verdict(on: line.bytes) == .right
    else { return read(line, isWanted) }
    if isWanted(name), !prefix.excludes(line) { noted[name] = line.place }
  }

  mutating func readNoted(_ line: UnsafeRawBufferPointer) {
    let content = OriginLine.read(line, with: json)
    if content == .damaged { isMisled = true }
    take(content)
  }

  mutating func read(_ line: LineReader.Line, _ isWanted: (EntryName) -> Bool) {
    if let name = OriginLine.leadingName(of: line.bytes), !isWanted(name) { return }
    if prefix.excludes(line) { return }
    let content = OriginLine.read(line, with: json)
    if case .stored(let name, _) = content, !isWanted(name) { return }
    take(content)
  }

  private mutating func take(_ content: OriginLine) {
    switch content {
    case .stored(let name, let record):
      noted[name] = nil
      if prefix.includes(record.key) { found[name] = record }
    case .removed(let name): if records == .live { (found[name], noted[name]) = (nil, nil) }
    case .damaged: break
    }
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
