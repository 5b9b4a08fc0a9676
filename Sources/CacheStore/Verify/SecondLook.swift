internal import CacheModel
internal import Glibc

/// Decides about the entries of a shard that were not simply sound.
///
/// Writers append their records before they rename, so records that are read again *after* an object
/// was seen hold whatever a writer made of it; and with the shard's lock shared, no writer is in the
/// middle of a change. What changed since it was seen is looked at once more: only what stays as it
/// was seen is judged.
struct SecondLook {
  private let store: Store
  private let shard: Shard
  private let request: VerifyRequest
  private let lines = LineReader()
  private let json = JSONReader()
  private var pending: [VerifySlice.Suspect]
  private var result: SliceResult
  /// Whether the lock could not be had when the entries were last looked at.
  private var isUnsure = false

  /// How often an entry that goes on changing is looked at.
  private static let mostRounds = 8
  /// From this round on objects are read with the lock held, so that nobody replaces them meanwhile.
  private static let firstLockedRound = 4

  init(_ shard: Shard, of store: Store, _ first: SliceResult, _ request: VerifyRequest) {
    self.store = store
    self.shard = shard
    self.request = request
    pending = first.suspects
    result = first
    result.suspects = []
  }

  /// What came of the slice in the end, its findings in the order of their names.
  mutating func judge(with reader: borrowing ObjectReader) -> SliceResult {
    for round in 0..<Self.mostRounds where !pending.isEmpty { look(round, reader) }
    if result.hasBadLines { result.merge(BadLines.find(in: shard, of: store, lines, json)) }
    result.tally.changing += Int64(pending.count)
    result.findings.sort { $0.path < $1.path }
    return result
  }

  private mutating func look(_ round: Int, _ reader: borrowing ObjectReader) {
    if isUnsure { usleep(50_000) }
    let isLate = round >= Self.firstLockedRound
    if round > 0, !isLate { readPending(reader) }
    let lock = SharedLock(shard, of: store)
    if isLate { readPending(reader) }
    do {
      let histories = try histories()
      let directory = try store.root.directory(Layout.objects(shard))
      // Without the lock, a writer may be between its record and its object: wait and see.
      isUnsure = !lock.isHeld
      let isFinal = lock.isHeld && round > 0 || round > 1
      var rest: [VerifySlice.Suspect] = []
      for suspect in pending {
        if !judge(suspect, histories[suspect.name], directory, isFinal: isFinal) {
          rest.append(suspect)
        }
      }
      pending = rest
    } catch {
      result.note(Finding(.unreadable, path: Layout.manifests(shard), detail: "\(error)"))
      pending = []
    }
  }

  private mutating func readPending(_ reader: borrowing ObjectReader) {
    guard let directory = try? store.root.directory(Layout.objects(shard)) else { return }
    for index in pending.indices {
      let name = pending[index].name
      if let kind = try? directory.status(of: name).kind, kind != .regular {
        pending[index].look = .foreign(kind)
      } else {
        pending[index].look = reader.look(at: name, in: directory)
      }
    }
  }

  /// The records of the suspects, each since the entry was last removed.
  private mutating func histories() throws(Errno) -> [EntryName: RecordHistory] {
    var found: [EntryName: RecordHistory] = [:]
    for suspect in pending { found[suspect.name] = RecordHistory() }
    let file: OpenFile
    do { file = try store.root.open(Layout.cost(shard), O_RDONLY | O_NONBLOCK) } catch {
      if error == .notFound { return found }
      throw error
    }
    try lines.forEachLine(of: file) { line in
      switch CostLine.read(line, with: self.json) {
      case .stored(let record): found[record.name]?.add(record)
      case .removed(let name, _): found[name]?.clear()
      case .damaged: break
      }
    }
    return found
  }

  /// False where the entry has to be looked at again.
  private mutating func judge(
    _ suspect: VerifySlice.Suspect, _ history: RecordHistory?, _ directory: borrowing Directory,
    isFinal: Bool
  ) -> Bool {
    let history = history ?? RecordHistory()
    let present: FileStatus
    do { present = try directory.status(of: suspect.name) } catch {
      return judge(absent: suspect.name, error, history, isFinal: isFinal)
    }
    guard present.kind == .regular else {
      result.note(Finding(.foreign, suspect.name, present.kind.asForeign))
      return true
    }
    guard let newest = history.newest else {
      return judge(stray: suspect, present, isFinal: isFinal)
    }
    switch suspect.look {
    case .content(let identity, let hash) where identity == ObjectReader.Identity(present):
      return judge(suspect.name, identity, hash, newest, history, isFinal: isFinal)
    case .unreadable(let error) where isFinal:
      result.note(Finding(.unreadable, suspect.name, "\(error)"))
      return true
    default: return false
    }
  }

  /// An object without a record is read only where it is to get one.
  private mutating func judge(
    stray suspect: VerifySlice.Suspect, _ present: FileStatus, isFinal: Bool
  ) -> Bool {
    let identity = ObjectReader.Identity(present)
    var hash: ContentHash?
    if request.adoptsStrays {
      guard case .content(identity, let found?) = suspect.look else { return false }
      hash = found
    }
    guard isFinal else { return false }
    note(.stray, .stray, suspect.name, "\(present.size) bytes, no record", identity, hash, nil)
    return true
  }

  /// Keeps a finding and what it takes to repair it.
  private mutating func note(
    _ kind: Finding.Kind, _ repair: RepairOrder.Kind, _ name: EntryName, _ detail: String,
    _ identity: ObjectReader.Identity?, _ hash: ContentHash?, _ record: CostRecord?
  ) {
    result.note(Finding(kind, name, detail))
    result.repairs.append(
      RepairOrder(
        kind: repair, name: name, identity: identity, record: record, detail: detail, hash: hash))
  }

  private mutating func judge(
    absent name: EntryName, _ error: Errno, _ history: RecordHistory, isFinal: Bool
  ) -> Bool {
    guard error == .notFound else {
      result.note(Finding(.unreadable, name, "\(error)"))
      return true
    }
    // Without a record it was removed meanwhile, as it should be.
    guard let newest = history.newest else { return true }
    if isFinal {
      note(
        .missing, .missing, name, "recorded with \(newest.bytes) bytes, not there", nil, nil, newest
      )
    }
    return isFinal
  }

  /// Compares an object with the records; false where its bytes have to be read for it.
  private mutating func judge(
    _ name: EntryName, _ identity: ObjectReader.Identity, _ hash: ContentHash?,
    _ newest: CostRecord, _ history: RecordHistory, isFinal: Bool
  ) -> Bool {
    let size = identity.size
    if hash == nil, history.mayHold(size) { return false }
    let match = history.match(size, hash)
    guard match == .newest || isFinal else { return false }
    result.tally.entries += 1
    result.tally.bytes += size
    switch match {
    case .newest:
      result.tally.sound += 1
      if newest.hash == nil { result.tally.unhashed += 1 }
    case .earlier(let earlier):
      let detail =
        "a store of \(newest.bytes) bytes did not finish; the earlier \(size) bytes are whole"
      note(.interrupted, .interrupted(earlier), name, detail, identity, hash, newest)
    case .none:
      let detail = newest.difference(from: size, hash)
      note(.damaged, .damaged, name, detail, identity, hash, newest)
    }
    return true
  }
}
