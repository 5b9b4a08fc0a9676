internal import CacheModel

/// How far a shard's manifests have been followed.
struct ShardTail: Sendable {
  private let shard: Shard
  private var cost = Mark()
  private var origin = Mark()

  private struct Mark: Equatable {
    var inode: UInt64 = 0
    var length: Int64 = 0
  }

  /// Begins behind all that is there.
  init(_ shard: Shard, of store: Store) {
    self.shard = shard
    cost = Self.mark(Layout.cost(shard), store)
    origin = Self.mark(Layout.origin(shard), store)
  }

  private static func mark(_ path: String, _ store: Store) -> Mark {
    // What is not there or cannot be read begins at its beginning, once it can.
    guard let status = try? store.root.status(beneath: path) else { return Mark() }
    return Mark(inode: status.inode, length: status.size)
  }

  /// What has happened since the last time; of several changes of one entry the last.
  mutating func follow(_ store: Store, _ reader: LineReader, _ json: JSONReader) -> [CacheChange] {
    // Under the lock no writer is between its records and its image.
    let lock = SharedLock(shard, of: store)
    let changes = readOn(store, reader, json)
    _ = consume lock
    return changes
  }

  private mutating func readOn(
    _ store: Store, _ reader: LineReader, _ json: JSONReader
  ) -> [CacheChange] {
    var changes: [EntryName: CacheChange] = [:]
    var order: [EntryName] = []
    func note(_ name: EntryName, _ change: CacheChange) {
      if changes.updateValue(change, forKey: name) == nil { order.append(name) }
    }
    let isOriginWhole = Self.read(Layout.origin(shard), from: &origin, store, reader) { line in
      if case .stored(let name, _) = OriginLine.read(line, with: json) {
        note(name, .updated(name))
      }
    }
    let isCostWhole = Self.read(Layout.cost(shard), from: &cost, store, reader) { line in
      switch CostLine.read(line, with: json) {
      case .stored(let record): note(record.name, .stored(record.name, bytes: record.bytes))
      case .removed(let name, _): note(name, .removed(name))
      case .damaged: break
      }
    }
    let told = order.compactMap { changes[$0] }
    return isOriginWhole && isCostWhole ? told : [.rewritten(shard)] + told
  }

  /// Reads the new lines; false where the file is another, whose lines are not known to be new.
  private static func read(
    _ path: String, from mark: inout Mark, _ store: Store, _ reader: LineReader,
    _ body: (LineReader.Line) -> Void
  ) -> Bool {
    let now = Self.mark(path, store)
    let before = mark
    if now == before { return true }
    mark = now
    guard before.inode == now.inode || before.inode == 0, now.length > before.length,
      let file = try? store.manifest(path)
    else { return false }
    do { try reader.forEachLine(of: file, from: before.length, body) } catch { return false }
    return true
  }
}
