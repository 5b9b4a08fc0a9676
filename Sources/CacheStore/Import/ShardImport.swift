internal import CacheModel
internal import Glibc

/// Imports files whose entries lie in one shard, one shard after the other.
///
/// For one thread.
struct ShardImport {
  private let store: Store
  private let orders: ImportOrders
  private let reader = LineReader()
  private let json = JSONReader()
  private let buffer = ImportBuffer()
  private var records = ShardRecords()
  private var outcome = ImportOutcome()
  /// Files that are written and wait for their places.
  private var batch: [(file: SourceFile, put: PreparedPut, kind: ImageKind?)] = []

  /// Each one holds two descriptors, of the thousand that a process may have.
  private static let longestBatch = 64

  init(_ store: Store, _ orders: ImportOrders) {
    self.store = store
    self.orders = orders
  }

  mutating func run(_ files: ArraySlice<SourceFile>) -> ImportOutcome {
    outcome = ImportOutcome()
    guard let shard = files.first?.name.shard else { return outcome }
    // Without its records the shard is imported anew, which is right and only slower.
    do { try records.load(shard, of: store, reader: reader, json: json) } catch { records.clear() }
    for file in files where !orders.shouldStop() {
      do throws(StoreError) { try take(file) } catch {
        outcome.fail(file.root.shown(file.path), "\(error)")
      }
      if batch.count == Self.longestBatch { publish() }
    }
    publish()
    return outcome
  }

  /// Lets what is ready take its place, under one lock.
  private mutating func publish() {
    let failures = store.publish(batch.map(\.put))
    let failed = Dictionary(failures.map { ($0.name, $0.error) }) { $1 }
    for (file, put, kind) in batch {
      if let error = failed[file.name] {
        outcome.fail(file.root.shown(file.path), "\(error)")
      } else {
        count(put.record.bytes, kind)
      }
    }
    batch.removeAll(keepingCapacity: true)
  }

  private mutating func take(_ file: SourceFile) throws(StoreError) {
    let open = try reading { () throws(Errno) in
      try file.root.directory.open(raw: file.path + [0], O_RDONLY | O_NONBLOCK)
    }
    // It was a file when its directory was listed.
    guard try reading({ () throws(Errno) in try open.status().kind }) == .regular else {
      outcome.others += 1
      return
    }
    let got = try reading { () throws(Errno) in try open.readFully(into: buffer.bytes, at: 0) }
    let bytes = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<got])
    if got < buffer.bytes.count { try takeWhole(file, bytes) } else { try takeLong(file, open) }
  }

  private mutating func takeWhole(
    _ file: SourceFile, _ bytes: UnsafeRawBufferPointer
  ) throws(StoreError) {
    let length = Int64(bytes.count)
    if holds(file.name, length, ContentHasher.hash(bytes)) { return skip(length) }
    let kind = ImageKind(front: bytes)
    var put = try store.beginPut(request(file, kind))
    try put.write(bytes)
    batch.append((file, try put.prepare(now: orders.now), kind))
  }

  /// Imports a file that the buffer cannot hold.
  ///
  /// One that may be in the cache already is read twice: it is not written to be thrown away.
  private mutating func takeLong(
    _ file: SourceFile, _ open: borrowing OpenFile
  ) throws(StoreError) {
    // Of two files with one key the later one holds.
    publish()
    let length = try reading { () throws(Errno) in try open.status().size }
    let kind = ImageKind(front: UnsafeRawBufferPointer(buffer.bytes))
    if records.record(of: file.name)?.bytes == length {
      let hash = try reading { () throws(Errno) in
        try open.contentHash(using: ContentHasher(), ContentHasher.chunk)
      }
      if holds(file.name, length, hash) { return skip(length) }
    }
    let record = try store.put(
      from: open, named: "it", request(file, kind), now: orders.now)
    count(record.bytes, kind)
  }

  /// Whether the cache has this content under this name: by its record, and with its object there.
  private func holds(_ name: EntryName, _ length: Int64, _ hash: ContentHash) -> Bool {
    guard let record = records.record(of: name), record.bytes == length, record.hash == hash,
      let objects = try? store.root.directory(Layout.objects(name.shard)),
      // What cannot be looked at is stored again.
      let status = try? objects.status(of: name)
    else { return false }
    return status.kind == .regular && status.size == length
  }

  private func request(_ file: SourceFile, _ kind: ImageKind?) -> StoreRequest {
    var request = StoreRequest(key: file.key)
    request.type = kind?.mimeType
    return request
  }

  private mutating func skip(_ length: Int64) {
    outcome.unchanged += 1
    outcome.unchangedBytes += length
  }

  private mutating func count(_ length: Int64, _ kind: ImageKind?) {
    outcome.stored += 1
    outcome.storedBytes += length
    if kind == nil { outcome.untyped += 1 }
  }
}

extension ShardImport {
  /// Files up to this length are read whole; the buffer holds a byte more, so that it is never full.
  fileprivate static let wholeFile = 1 << 20

  private func reading<Result: ~Copyable>(
    _ body: () throws(Errno) -> Result
  ) throws(StoreError) -> Result {
    try StoreError.attempt("read", "it", body)
  }
}

/// Memory of one thread that files are read into.
private final class ImportBuffer {
  let bytes = UnsafeMutableRawBufferPointer.allocate(
    byteCount: ShardImport.wholeFile + 1, alignment: 64)

  deinit { bytes.deallocate() }
}
