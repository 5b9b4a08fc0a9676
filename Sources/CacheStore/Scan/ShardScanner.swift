internal import CacheModel
internal import Glibc

/// Scans shards one after the other, on one thread, with buffers that serve them all.
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
    // The witness and the directory's time are taken before the records: a change while these are
    // being read then shows as a difference, which costs a listing, not the truth.
    let witness = witness(of: shard)
    do {
      let look = try ObjectLook(
        shard, of: store, now: request.now, inodes: room.totalInodes)
      let directoryModified = try look.directoryModified()
      load(shard)
      let found = Witness(directoryModified: directoryModified, manifestLength: records.length)
      let isWitnessed = witness == found && witness != .cleared && records.damagedLineCount == 0
      if isWitnessed, request.depth != .full {
        takeRecords(looking: request.depth == .objects, look)
      } else {
        try takeListing(of: shard, look, isWitnessed: isWitnessed)
      }
    } catch {
      guard error == .notFound else {
        return census.note(.init(.unreadable, Layout.objects(shard), "\(error)"))
      }
      takeNothing(of: shard)
    }
  }

  /// Reads the records; where they cannot be read, there are none.
  private mutating func load(_ shard: Shard) {
    do { try loadSettled(shard) } catch {
      records.clear()
      return census.note(.init(.unreadable, Layout.cost(shard), "\(error)"))
    }
    noteManifest(of: shard)
  }

  /// Half a line at the end is one that is being written just now, which is no damage, unless it is
  /// still the same a moment later.
  private mutating func loadSettled(_ shard: Shard) throws(Errno) {
    var length: Int64 = -1
    while true {
      try records.load(shard, of: store, reader: reader, json: json)
      if !records.endsTorn || records.length == length { return }
      length = records.length
      usleep(10_000)
    }
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
    census.damagedLines = Int64(records.damagedLineCount)
    for line in records.damagedLines {
      census.note(.init(.damagedLine, "\(Layout.cost(shard)):\(line)", "not a record; skipped"))
    }
    census.furtherProblems = Int64(records.damagedLineCount - records.damagedLines.count)
    let isBloated = records.deadLineCount > max(records.liveCount, Self.toleratedDeadLines)
    if isBloated || !records.damagedLines.isEmpty { census.bloated = [shard] }
  }

  /// Takes every live record as an entry.
  private mutating func takeRecords(looking: Bool, _ look: borrowing ObjectLook) {
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
  private mutating func confirm(_ candidate: inout Candidate, _ look: borrowing ObjectLook) -> Bool
  {
    let recorded = candidate.bytes
    census.stated += 1
    switch look.look(at: &candidate) {
    case .object:
      if !candidate.traits.contains(.stray), candidate.bytes != recorded {
        mismatch(candidate, recorded)
      }
      return true
    case .gone: census.missing += 1
    case .foreign(let kind):
      noteForeign(Layout.object(candidate.name), "a \(kind.rawValue), not a file")
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

  /// Lists the directory and joins it with the records.
  ///
  /// Every object is looked at: it may have been replaced by somebody who keeps no records, and
  /// what it takes is what counts.
  private mutating func takeListing(
    of shard: Shard, _ look: borrowing ObjectLook, isWitnessed: Bool
  ) throws(Errno) {
    census.listed = [shard]
    var strays: [EntryName] = []
    try list(shard, look, &strays)
    for slot in records.slots where slot.isLive {
      if slot.isListed {
        take(slot.record, .always, look)
      } else {
        noteMissing(slot.record.name)
      }
    }
    census.strays = Int64(strays.count)
    for name in strays { take(Candidate(stray: name), .always, look) }
    let isWrong = census.strays + census.missing + census.mismatched > 0
    if isWrong || !isWitnessed { census.unsettled = [shard] }
  }

  /// Somebody took the whole directory away.
  private mutating func takeNothing(of shard: Shard) {
    census.listed = [shard]
    census.unsettled = [shard]
    load(shard)
    for slot in records.slots where slot.isLive { noteMissing(slot.record.name) }
  }

  private mutating func noteMissing(_ name: EntryName) {
    census.missing += 1
    guard request.depth == .full else { return }
    census.note(.init(.mismatch, Layout.object(name), "recorded, but not there"))
  }

  private mutating func list(
    _ shard: Shard, _ look: borrowing ObjectLook, _ strays: inout [EntryName]
  ) throws(Errno) {
    var buffer: [UInt8] = []
    swap(&buffer, &names)
    defer { swap(&buffer, &names) }
    try buffer.withMutableBytes { (buffer) throws(Errno) in
      try look.forEachName(using: buffer) { (raw, type) throws(Errno) in
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
    // What has a record is looked at, whatever it is.
    if records.markListed(name) { return }
    guard type == UInt8(DT_REG) || type == UInt8(DT_UNKNOWN) else {
      return noteForeign(Layout.object(name), "not a regular file")
    }
    strays.append(name)
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
