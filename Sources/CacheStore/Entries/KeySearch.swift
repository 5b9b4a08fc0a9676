internal import CacheModel
internal import Glibc

extension Store {
  /// Keys and names that begin with `prefix`, for the completion of a line that is being typed.
  ///
  /// Answers at once whatever the cache's size: shards are read one after the other, that of `prefix`
  /// as a whole key first, until `limit` were found or `patience` ran out. What cannot be read is
  /// passed over.
  public func keys(
    beginningWith prefix: String, atMost limit: Int, within patience: Duration
  ) -> [String] {
    if let shard = Shard(ofName: prefix) { return names(beginningWith: prefix, shard, limit) }
    let start = ContinuousClock.now
    var search = KeySearch(prefix, limit: limit)
    let first = (try? CacheKey(prefix))?.name.shard
    for shard in [first].compactMap({ $0 }) + Shard.all.filter({ $0 != first }) {
      if search.isFull || ContinuousClock.now - start > patience { break }
      search.read(shard, of: self)
    }
    return search.found
  }

  private func names(beginningWith prefix: String, _ shard: Shard, _ limit: Int) -> [String] {
    var records = ShardRecords()
    // Completion offers what it can.
    try? records.load(shard, of: self, reader: LineReader(), json: JSONReader())
    let names = records.slots.filter(\.isLive).map { "\($0.record.name)" }
    return Array(names.filter { $0.hasPrefix(prefix) }.sorted().prefix(limit))
  }
}

extension Shard {
  /// The shard of a name of which the beginning is known: two to 64 hex digits.
  fileprivate init?(ofName prefix: String) {
    let digits = prefix.utf8.count
    guard (2...64).contains(digits),
      let name = EntryName(prefix + String(repeating: "0", count: 64 - digits))
    else { return nil }
    self = name.shard
  }
}

/// A search for keys, shard after shard.
private struct KeySearch {
  private let prefix: [UInt8]
  /// The same as a manifest spells it.
  private let escaped: ArraySlice<UInt8>
  private let limit: Int
  private let reader = LineReader()
  private let json = JSONReader()
  private(set) var found: [String] = []

  init(_ prefix: String, limit: Int) {
    self.prefix = Array(prefix.utf8)
    self.limit = limit
    var text = JSONText()
    text.value(prefix)
    escaped = text.bytes.dropFirst().dropLast()
  }

  var isFull: Bool { found.count >= limit }

  mutating func read(_ shard: Shard, of store: Store) {
    // Completion offers what it can.
    guard let file = try? store.manifest(Layout.origin(shard)) else { return }
    var keys: [EntryName: String] = [:]
    _ = try? reader.forEachLine(of: file) { line in
      switch read(line, known: keys) {
      case .stored(let name, let record): keys[name] = record.key.text
      case .removed(let name): keys[name] = nil
      case .damaged, nil: break
      }
    }
    let fitting = keys.values.filter { $0.utf8.starts(with: prefix) }.sorted()
    found += fitting.prefix(limit - found.count)
  }

  /// The line, where it can matter: a key that begins right, or the end of one that did. Lines of the
  /// form that this library writes are told by their first bytes.
  private func read(_ line: LineReader.Line, known: [EntryName: String]) -> OriginLine? {
    var cursor = LineCursor(line.bytes)
    if cursor.skip("{\"name\":\""), let name = cursor.name(), cursor.skip("\",\"key\":\""),
      known[name] == nil, !cursor.isBefore(escaped)
    {
      return nil
    }
    return OriginLine.read(line, with: json)
  }
}
