internal import CacheModel
internal import Glibc

/// Scans shards one after the other, with buffers that serve them all. For one thread.
struct ShardScanner {
  private let store: Store
  private let request: ScanRequest
  private let room: FileSystemStatus
  private let history: EvictionHistory
  private let reader = LineReader()
  private let json = JSONReader()
  private(set) var records = ShardRecords()
  private(set) var batch: [Candidate] = []
  private(set) var census = Census()
  private var horizon = Instant(milliseconds: .max)
  private var names = [UInt8](repeating: 0, count: 1 << 16)

  /// Objects this long are looked at whatever their record says: one wrong record of a terabyte
  /// would otherwise have the whole cache evicted.
  private static let alwaysLookedAt: Int64 = 16 << 20

  /// A manifest is rewritten once it has more dead lines than live ones and than this.
  static let toleratedDeadLines = 1000

  init(
    _ store: Store, _ request: ScanRequest, room: FileSystemStatus, history: EvictionHistory
  ) {
    self.store = store
    self.request = request
    self.room = room
    self.history = history
  }

  /// Scans one shard: afterwards `batch` holds its candidates and `census` what it comes to.
  mutating func scan(_ shard: Shard) {
    census = Census()
    batch.removeAll(keepingCapacity: true)
    horizon = request.horizon.lastUse
    do {
      let trust = try load(shard)
      if trust == .right, request.depth != .full {
        try takeRecords(of: shard, looking: request.depth == .objects)
      } else {
        try takeListing(of: shard, trust)
      }
    } catch {
      census.note(.init(.unreadable, Layout.objects(shard), "\(error)"))
    }
  }

  /// Reads the records and says whether the witness vouches for them.
  ///
  /// The directory's time is taken first: a change while the manifest is being read then shows as
  /// a difference, which costs a listing, not the truth.
  private mutating func load(_ shard: Shard) throws(Errno) -> LockedShard.Trust {
    let witness = witness(of: shard)
    let directory = try store.root.status(of: Layout.objects(shard))
    do { try records.load(shard, of: store, reader: reader, json: json) } catch {
      records.clear()
      census.note(.init(.unreadable, Layout.cost(shard), "\(error)"))
      return .changed
    }
    noteManifest(of: shard)
    guard let witness else { return .changed }
    if witness == .cleared { return .cleared }
    let found = Witness(
      directoryModified: directory.modifiedNanoseconds, manifestLength: records.length)
    return witness == found && records.damagedLines.isEmpty ? .right : .changed
  }

  private func witness(of shard: Shard) -> Witness? {
    // Whatever keeps the witness from being read only costs the listing.
    guard let file = try? store.root.open(Layout.lock(shard), O_RDONLY | O_NONBLOCK) else {
      return nil
    }
    return try? Witness(in: file)
  }

  private mutating func noteManifest(of shard: Shard) {
    census.records = Int64(records.liveCount)
    census.damagedLines = Int64(records.damagedLines.count)
    for line in records.damagedLines {
      census.note(.init(.damagedLine, "\(Layout.cost(shard)):\(line)", "not a record; skipped"))
    }
    let isBloated = records.deadLineCount > max(records.liveCount, Self.toleratedDeadLines)
    if isBloated || !records.damagedLines.isEmpty { census.bloated = [shard] }
  }

  /// Takes every live record as an entry.
  private mutating func takeRecords(of shard: Shard, looking: Bool) throws(Errno) {
    let look = try ObjectLook(shard, of: store, now: request.now)
    for slot in records.slots where slot.isLive {
      take(slot.record, looking ? .always : .whereDue, look)
    }
  }

  private enum Looking { case always, whereDue }

  @inline(__always)
  private mutating func take(
    _ record: CostRecord, _ looking: Looking, _ look: borrowing ObjectLook
  ) {
    if history.isRegretted(record) { census.regretted += 1 }
    take(Candidate(record, now: request.now, room: room), looking, look)
  }

  /// Counts a candidate and keeps it for the batch, having looked at it where that is due.
  @inline(__always)
  private mutating func take(
    _ candidate: Candidate, _ looking: Looking, _ look: borrowing ObjectLook
  ) {
    var candidate = candidate
    request.classify(&candidate)
    let isBefore = request.floor.map { candidate.key < $0 } ?? false
    if looking == .always || isBefore || candidate.bytes >= Self.alwaysLookedAt {
      guard confirm(&candidate, look) else { return }
      request.classify(&candidate)
      if let floor = request.floor, candidate.key < floor { return }
    }
    census.usage.add(candidate)
    if candidate.traits.contains(.future) { census.future += 1 }
    if candidate.lastUse <= horizon || candidate.traits.contains(.oversized) {
      batch.append(candidate)
    }
  }

  /// Looks at the object; false where there is nothing to evict.
  private mutating func confirm(_ candidate: inout Candidate, _ look: borrowing ObjectLook) -> Bool {
    let recorded = candidate.bytes
    census.stated += 1
    switch look.look(at: &candidate) {
    case .object:
      if !candidate.traits.contains(.stray), candidate.bytes != recorded { mismatch(candidate, recorded) }
      return true
    case .gone: census.missing += 1
    case .foreign(let kind): noteForeign(Layout.object(candidate.name), "a \(kind.rawValue), not a file")
    case .unreadable(let error): noteUnreadable(Layout.object(candidate.name), error)
    }
    return false
  }

  private mutating func mismatch(_ candidate: Candidate, _ recorded: Int64) {
    census.mismatched += 1
    guard request.depth == .full else { return }
    census.note(
      .init(
        .mismatch, Layout.object(candidate.name),
        "\(candidate.bytes) bytes, \(recorded) recorded"))
  }

  private mutating func noteForeign(_ path: String, _ detail: String) {
    census.foreign += 1
    census.note(.init(.foreign, path, detail))
  }

  private mutating func noteUnreadable(_ path: String, _ error: Errno) {
    census.note(.init(.unreadable, path, "\(error)"))
  }

  /// Lists the directory and joins it with the records. Sizes are looked at where a writer died in
  /// the middle of a change, or everything was asked for.
  private mutating func takeListing(
    of shard: Shard, _ trust: LockedShard.Trust
  ) throws(Errno) {
    census.listed = [shard]
    var strays: [EntryName] = []
    try list(shard, &strays)
    let look = try ObjectLook(shard, of: store, now: request.now)
    let looking: Looking = trust == .cleared || request.depth != .index ? .always : .whereDue
    for slot in records.slots where slot.isLive {
      if slot.isListed {
        take(slot.record, looking, look)
      } else {
        noteMissing(slot.record.name)
      }
    }
    census.strays = Int64(strays.count)
    for name in strays { take(Candidate(stray: name), .always, look) }
    if trust != .right || census.missing + census.mismatched > 0 { census.unsettled = [shard] }
  }

  private mutating func noteMissing(_ name: EntryName) {
    census.missing += 1
    guard request.depth == .full else { return }
    census.note(.init(.mismatch, Layout.object(name), "recorded, but not there"))
  }

  private mutating func list(_ shard: Shard, _ strays: inout [EntryName]) throws(Errno) {
    let directory = try store.root.directory(Layout.objects(shard))
    var buffer: [UInt8] = []
    swap(&buffer, &names)
    defer { swap(&buffer, &names) }
    try buffer.withMutableBytes { (buffer) throws(Errno) in
      try directory.forEachName(using: buffer) { (raw, type) throws(Errno) in
        self.listed(raw, type, shard, &strays)
      }
    }
  }

  private mutating func listed(
    _ raw: UnsafeRawBufferPointer, _ type: UInt8, _ shard: Shard, _ strays: inout [EntryName]
  ) {
    guard let name = EntryName(hexDigits: raw), name.shard == shard else {
      return noteForeign("\(Layout.objects(shard))/\(printable(raw))", "not an object's name")
    }
    guard type == UInt8(DT_REG) || type == UInt8(DT_UNKNOWN) else {
      return noteForeign(Layout.object(name), "not a regular file")
    }
    if !records.markListed(name) { strays.append(name) }
  }
}

/// A raw name for people: what is not printable ASCII becomes `\xNN`.
func printable(_ raw: UnsafeRawBufferPointer) -> String {
  raw.reduce(into: "") { text, byte in
    if byte >= 0x20, byte < 0x7f, byte != 0x5c {
      text.unicodeScalars.append(Unicode.Scalar(byte))
    } else {
      text += "\\x" + Hex.text(UInt64(byte)).suffix(2)
    }
  }
}
