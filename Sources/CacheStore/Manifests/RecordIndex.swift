internal import CacheModel
internal import Glibc
internal import Synchronization

/// Where the last lines of entries stand in the manifests, so that looking one up reads two lines and
/// not two files.
///
/// A shard is taken in when one of its entries is first looked up, and brought up to date by what was
/// appended since. The index vouches for nothing: the line is read and checked each time, and where it
/// is not what it should be, the caller reads the manifest whole. Safe between threads.
final class RecordIndex: Sendable {
  /// Beyond this, shards are forgotten: some two million entries' worth.
  static let mostBytes = 64 << 20

  private struct State {
    var shards = [ShardIndex?](repeating: nil, count: Shard.all.count)
    var bytes = 0
    /// The shard that is forgotten next.
    var hand = 0
  }

  private let state = Mutex(State())
  private let mostBytes: Int

  init(mostBytes: Int = RecordIndex.mostBytes) { self.mostBytes = mostBytes }

  /// What it takes in memory.
  var bytes: Int { state.withLock { $0.bytes } }

  /// What the index tells of an entry.
  struct Finding<Record: Sendable>: Sendable {
    /// Nil where no line holds.
    var record: Record?
    /// The manifest that says so; nil where there is none.
    var stamp: ManifestStamp?
    /// Lines of it that could not be read.
    var damagedLineCount = 0
  }

  /// The record of cost.jsonl; nil where the manifest has to be read to tell.
  func cost(of name: EntryName, in store: Store) throws(Errno) -> Finding<CostRecord>? {
    let shard = shard(name.shard)
    defer { account(for: name.shard, shard) }
    return try shard.cost.use { (index) throws(Errno) in
      try index.find(name, Layout.cost(name.shard), in: store, Self.costName) { line, json in
        switch CostLine.read(line, with: json) {
        case .stored(let record): record.name == name ? .record(record) : .other
        case .removed(let removed, _): removed == name ? .ended : .other
        case .damaged: .other
        }
      }
    }
  }

  /// The record of etag.jsonl; nil where the manifest has to be read to tell.
  func origin(of name: EntryName, in store: Store) throws(Errno) -> Finding<OriginRecord>? {
    let shard = shard(name.shard)
    defer { account(for: name.shard, shard) }
    return try shard.origin.use { (index) throws(Errno) in
      try index.find(name, Layout.origin(name.shard), in: store, Self.originName) { line, json in
        switch OriginLine.read(line, with: json) {
        case .stored(let found, let record): found == name ? .record(record) : .other
        case .removed(let removed): removed == name ? .ended : .other
        case .damaged: .other
        }
      }
    }
  }

  private static func costName(_ line: LineReader.Line, _ json: JSONReader) -> EntryName? {
    switch CostLine.read(line, with: json) {
    case .stored(let record): record.name
    case .removed(let name, _): name
    case .damaged: nil
    }
  }

  private static func originName(_ line: LineReader.Line, _ json: JSONReader) -> EntryName? {
    // Whether the line is whole is asked when it is read: nobody counts this manifest's damaged ones.
    if !line.isTooLong, let name = OriginLine.leadingName(of: line.bytes) { return name }
    switch OriginGlance.read(line, with: json) {
    case .stored(let name, _, _), .removed(let name): return name
    case .damaged: return nil
    }
  }

  private func shard(_ shard: Shard) -> ShardIndex {
    state.withLock { state in
      let place = Int(shard.number)
      if let index = state.shards[place] { return index }
      let index = ShardIndex()
      state.shards[place] = index
      return index
    }
  }

  /// Counts what a shard takes now, and forgets others where that is too much.
  private func account(for shard: Shard, _ index: ShardIndex) {
    let bytes = index.bytes
    state.withLock { state in
      guard state.shards[Int(shard.number)] === index else { return }
      state.bytes += bytes - index.counted.exchange(bytes, ordering: .relaxed)
      for _ in Shard.all where state.bytes > mostBytes {
        state.hand = (state.hand + 1) % Shard.all.count
        guard state.hand != Int(shard.number), let other = state.shards[state.hand] else {
          continue
        }
        state.bytes -= other.counted.load(ordering: .relaxed)
        state.shards[state.hand] = nil
      }
    }
  }
}

/// The two manifests of a shard.
private final class ShardIndex: Sendable {
  let cost = Half()
  let origin = Half()
  /// What was counted of ``bytes``; changed under the lock of the whole index.
  let counted = Atomic<Int>(0)

  var bytes: Int { cost.bytes + origin.bytes }

  /// One manifest's index.
  final class Half: Sendable {
    private let index = Mutex(ManifestIndex())
    private let size = Atomic<Int>(0)

    var bytes: Int { size.load(ordering: .relaxed) }

    /// Gives the index to `body`; nil also where it is in use and must not be waited for.
    func use<Result: Sendable>(
      _ body: (inout ManifestIndex) throws(Errno) -> Result?
    ) throws(Errno) -> Result? {
      if isImpatient {
        return try index.withLockIfAvailable { (index) throws(Errno) in
          try measured(&index, body)
        } ?? nil
      }
      return try index.withLock { (index) throws(Errno) in try measured(&index, body) }
    }

    private func measured<Result>(
      _ index: inout ManifestIndex, _ body: (inout ManifestIndex) throws(Errno) -> Result?
    ) throws(Errno) -> Result? {
      defer { size.store(index.bytes, ordering: .relaxed) }
      return try body(&index)
    }
  }
}
