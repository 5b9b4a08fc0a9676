public import CacheModel
internal import Synchronization

/// Which records of a manifest count.
public enum RecordSet: Sendable {
  /// Those of entries that there are.
  case live
  /// Those of removed entries as well.
  case all
}

extension Store {
  /// The path of an entry's object, below the root as it was given, whether there is one or not.
  public func objectPath(of name: EntryName) -> String { path + "/" + Layout.object(name) }

  /// The keys of many entries, as far as etag.jsonl holds them.
  ///
  /// Reads the manifest of every shard that a name lies in, several at once.
  ///
  /// - Parameters:
  ///   - names: the entries.
  ///   - records: whether entries that were removed have keys too, as long as the manifest remembers.
  /// - Returns: the keys that were found.
  public func keys(of names: [EntryName], by records: RecordSet = .live) -> [EntryName: String] {
    let byShard = Dictionary(grouping: names, by: \.shard)
    let shards = byShard.keys.sorted()
    let found = Mutex<[EntryName: String]>([:])
    let queue = WorkQueue(shards.count)
    onThreads(min(processorCount, shards.count)) { [self] _ in
      let (reader, json) = (LineReader(), JSONReader())
      while let index = queue.take() {
        let wanted = Set(byShard[shards[index]] ?? [])
        // A key is for people: where its manifest cannot be read, the name stands alone.
        guard
          let records = try? origins(
            of: shards[index], by: records, reader: reader, json: json,
            only: { wanted.contains($0) })
        else { continue }
        found.withLock { $0.merge(records.mapValues(\.key.text)) { $1 } }
      }
    }
    return found.withLock { $0 }
  }
}
