public import CacheModel

/// About what a cache uses: what a scan found, and what every process has written to the manifests since.
///
/// An image that replaced another counts beside it, and one that went counts as an average one: it tells
/// when a scan is due, and costs a look at 256 files.
public struct UsageCounter: Sendable {
  /// The estimate.
  public private(set) var usage: Usage
  /// How far each shard's cost.jsonl has been counted, and in which file.
  private var counted: [Mark]
  /// Tells how much the file system allocates for a length.
  private let room: FileSystemStatus

  private struct Mark: Equatable {
    var inode: UInt64 = 0
    var length: Int64 = 0
  }

  /// Scans a cache.
  ///
  /// - Parameters:
  ///   - store: the cache.
  ///   - request: how closely to look.
  /// - Throws: ``StoreError`` where the file system cannot be asked for its state.
  public init(scanning store: Store, _ request: ScanRequest) throws(StoreError) {
    room = try store.fileSystem()
    // Before the scan: what is written meanwhile counts twice, rather than not at all.
    counted = Shard.all.map { Self.mark(of: $0, in: store) }
    usage = try store.scan(request) { _, _ in }.usage
  }

  private static func mark(of shard: Shard, in store: Store) -> Mark {
    // What cannot be read is counted by the next scan.
    guard let status = try? store.root.status(beneath: Layout.cost(shard)) else { return Mark() }
    return Mark(inode: status.inode, length: status.size)
  }

  /// The same with what the manifests have gained since; nil where one was rewritten, and a new scan has
  /// to tell.
  public func updated(from store: Store) -> UsageCounter? {
    var counter = self
    let (reader, json) = (LineReader(), JSONReader())
    for shard in Shard.all {
      let now = Self.mark(of: shard, in: store)
      let before = counted[Int(shard.number)]
      counter.counted[Int(shard.number)] = now
      if now == before { continue }
      guard before.inode == now.inode || before.inode == 0, now.length > before.length else {
        return nil
      }
      guard let file = try? store.manifest(Layout.cost(shard)) else { return nil }
      do {
        try reader.forEachLine(of: file, from: before.length) { line in
          // What was written since the mark is read next time.
          if line.offset < now.length { counter.count(CostLine.read(line, with: json)) }
        }
      } catch { return nil }
    }
    return counter
  }

  private mutating func count(_ line: CostLine) {
    switch line {
    case .stored(let record):
      usage.add(Candidate(record, now: record.used, room: room))
    case .removed where usage.entries > 0:
      var average = Usage()
      average.entries = 1
      average.bytes = usage.bytes / Int128(usage.entries)
      average.allocated = usage.allocated / Int128(usage.entries)
      average.cost = usage.cost / Int128(usage.entries)
      usage = usage.less(average)
    case .removed, .damaged: break
    }
  }
}
