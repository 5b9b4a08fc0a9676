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
    let start = ContinuousClock.now
    let own = (try? CacheKey(prefix))?.name.shard
    var found: [String] = []
    let (reader, json) = (LineReader(), JSONReader())
    for shard in [own].compactMap({ $0 }) + Shard.all.filter({ $0 != own }) {
      if found.count >= limit || ContinuousClock.now - start > patience { break }
      // Completion offers what it can.
      let records = try? origins(
        of: shard, beginningWith: prefix, reader: reader, json: json, only: { _ in true })
      let keys = records?.values.map(\.key.text).sorted() ?? []
      found += keys.prefix(limit - found.count)
    }
    guard let shard = Shard(ofName: prefix) else { return found }
    return found + names(beginningWith: prefix, shard, limit - found.count)
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
