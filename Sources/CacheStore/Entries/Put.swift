public import CacheModel
internal import Glibc

/// An image on its way into the cache: bytes go in by `write`, and ``commit(now:)`` makes
/// them the entry.
///
/// Let go of before that, it leaves nothing behind.
///
/// Readers see the entry as it was until the commit and whole afterwards. For one task at a time.
public struct Put: ~Copyable {
  private let store: Store
  private var request: StoreRequest
  private let name: EntryName
  private var temporary: TemporaryFile
  private let hasher = ContentHasher()
  private var length: Int64 = 0

  init(_ request: StoreRequest, in store: Store) throws(StoreError) {
    self.store = store
    self.request = request
    name = request.key.name
    temporary = try StoreError.attempt("make a file in", Layout.temporary) { () throws(Errno) in
      try TemporaryFile(in: store)
    }
  }

  /// Takes the next bytes.
  ///
  /// - Throws: ``StoreError`` when the disk is full or fails; the cache is as it was.
  public mutating func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
    do { try temporary.file.write(bytes) } catch { throw failure("write", error) }
    hasher.update(bytes)
    length += Int64(bytes.count)
  }

  /// Takes the next bytes.
  public mutating func write(_ bytes: [UInt8]) throws(StoreError) {
    do { try bytes.withBytes { (bytes) throws(Errno) in try temporary.file.write(bytes) } } catch {
      throw failure("write", error)
    }
    bytes.withUnsafeBytes { hasher.update($0) }
    length += Int64(bytes.count)
  }

  /// Makes the bytes the entry: records first, then the rename.
  ///
  /// - Returns: the record as it was written.
  /// - Throws: ``StoreError``: the length is not what was promised, the records are too long, or the
  ///   kernel refused. The cache then holds what it held; only where the last sync of a durable store
  ///   fails, the image is there and not yet safe.
  public consuming func commit(now: Instant) throws(StoreError) -> CostRecord {
    let store = store
    let prepared = try prepare(now: now)
    let record = prepared.record
    if let failure = store.publish([prepared]).first { throw failure.error }
    return record
  }

  /// The same, but only where the entry still is what it was when it was read; nil where it is not.
  ///
  /// The last use stays the one it was: asking an origin is no use.
  public consuming func commit(
    replacing entry: AskableEntry, now: Instant
  ) throws(StoreError) -> CostRecord? {
    let store = store
    request.lastUse = store.lastUse(of: entry, now: now)
    let prepared = try prepare(now: now)
    prepared.expected = entry
    let record = prepared.record
    if let failure = store.publish([prepared]).first { throw failure.error }
    return prepared.isSuperseded ? nil : record
  }

  /// Another descriptor of the bytes so far, which holds them whatever becomes of the store.
  ///
  /// - Throws: ``StoreError`` where the process may open no more files.
  public func openBytes() throws(StoreError) -> OpenObject {
    do throws(Errno) {
      let copy = try Errno.check { fcntl(temporary.file.descriptor, F_DUPFD_CLOEXEC, 0) }
      return OpenObject(
        name: name, file: OpenFile(owning: copy), byteCount: length,
        modified: Instant(milliseconds: 0))
    } catch { throw failure("open", error) }
  }

  /// Says what is known of the image besides its bytes, which may show only behind them.
  public mutating func describe(_ change: (inout StoreRequest) -> Void) { change(&request) }

  /// The hash of the bytes so far.
  public var contentHash: ContentHash { hasher.finish() }

  /// How many bytes came so far.
  public var byteCount: Int64 { length }

  /// Sets the media type, which may show only in the bytes.
  public mutating func setType(_ type: String?) { request.type = type }

  /// Makes everything ready that can be without the shard's lock.
  consuming func prepare(now: Instant) throws(StoreError) -> PreparedPut {
    let hash = hasher.finish()
    let record = CostRecord(
      name: name, bytes: length, cost: request.cost ?? length, hash: hash, stored: now,
      used: request.lastUse ?? now)
    if let expected = request.expectedBytes, expected != length {
      throw refusal("\(length) bytes came, \(expected) were promised")
    }
    guard record.cost >= 0 else { throw refusal("the cost is negative") }
    var lines = PreparedPut.Lines()
    lines.cost.cost(record)
    let originRecord = request.originRecord(hash: hash, at: now)
    guard lines.origin.origin(name, originRecord) else {
      throw refusal("its record would be longer than \(LineReader.longestLine) bytes")
    }
    if !request.others.isEmpty, !lines.origin.holds(name, originRecord) {
      throw refusal("its further members are no JSON, or have names that the record has already")
    }
    do throws(Errno) {
      if let lastUse = request.lastUse { try temporary.file.setModified(lastUse) }
      if store.configuration.isDurable { try temporary.file.synchronize() }
    } catch { throw failure("write", error) }
    return PreparedPut(record, lines, temporary)
  }

  private func failure(_ attempt: String, _ error: Errno) -> StoreError {
    StoreError(attempt, Layout.object(name), .system(error))
  }

  private func refusal(_ reason: String) -> StoreError {
    StoreError("store", maskedURL(request.key.text), .unacceptable(reason))
  }
}

extension OpenFile {
  func setModified(_ instant: Instant) throws(Errno) {
    let (seconds, rest) = instant.milliseconds.quotientAndRemainder(dividingBy: 1000)
    try setModified(
      seconds: rest < 0 ? seconds - 1 : seconds,
      nanoseconds: (rest < 0 ? rest + 1000 : rest) * 1_000_000)
  }
}

extension Store {
  /// Begins to store an image whose bytes come piece by piece.
  public func beginPut(_ request: StoreRequest) throws(StoreError) -> Put {
    try Put(request, in: self)
  }

  /// Stores an image that lies in memory.
  ///
  /// Several writers of one key are safe: the last to commit holds.
  ///
  /// - Parameters:
  ///   - bytes: the image, of any length.
  ///   - request: its key and what else is known of it.
  ///   - now: the time to record.
  /// - Returns: the record as it was written.
  /// - Throws: ``StoreError``; the cache then holds what it held.
  @discardableResult
  public func put(
    _ bytes: UnsafeRawBufferPointer, _ request: StoreRequest, now: Instant
  ) throws(StoreError) -> CostRecord {
    var put = try beginPut(request)
    try put.write(bytes)
    return try put.commit(now: now)
  }

  /// Stores an image that lies in memory.
  @discardableResult
  public func put(
    _ bytes: [UInt8], _ request: StoreRequest, now: Instant
  ) throws(StoreError) -> CostRecord {
    try bytes.withBytes { (bytes) throws(StoreError) in try put(bytes, request, now: now) }
  }

  /// Stores what can be read from `file`, from its present position to its end.
  ///
  /// - Parameters:
  ///   - file: what to read.
  ///   - source: what messages call it.
  ///   - request: the key and what else is known of the image.
  ///   - now: the time to record.
  ///   - tellingType: whether the media type is the one that the content shows.
  /// - Returns: the record as it was written.
  /// - Throws: ``StoreError``; also when reading fails, which the message then says.
  @discardableResult
  public func put(
    from file: borrowing OpenFile, named source: String, _ request: StoreRequest, now: Instant,
    tellingType: Bool = false
  ) throws(StoreError) -> CostRecord {
    var put = try beginPut(request)
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let got = try StoreError.attempt("read", source) { () throws(Errno) in
        try chunk.withMutableBytes { (buffer) throws(Errno) in try file.fillNext(buffer) }
      }
      if got == 0 { break }
      let isFirst = put.byteCount == 0
      try chunk.withBytes { (bytes) throws(StoreError) in
        let bytes = UnsafeRawBufferPointer(rebasing: bytes[..<got])
        if tellingType, isFirst { put.setType(ImageKind(front: bytes)?.mimeType) }
        try put.write(bytes)
      }
    }
    return try put.commit(now: now)
  }
}

extension ImageKind {
  /// The kind of content of which all or the beginning is at hand.
  init?(front bytes: UnsafeRawBufferPointer) {
    self.init(firstBytes: UnsafeRawBufferPointer(rebasing: bytes.prefix(ImageKind.firstBytes)))
  }
}

extension OpenFile {
  /// Fills the buffer from a stream, stopping early only at its end: a pipe gives little at a time.
  fileprivate func fillNext(_ buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    var filled = 0
    while filled < buffer.count {
      let got = try readNext(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
      if got == 0 { break }
      filled += got
    }
    return filled
  }
}
