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

  init(_ shard: Shard, of store: Store, _ first: SliceResult) {
    self.store = store
    self.shard = shard
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
      if isFinal { result.note(Finding(.stray, suspect.name, "\(present.size) bytes, no record")) }
      return isFinal
    }
    switch suspect.look {
    case .content(let identity, let hash) where identity == ObjectReader.Identity(present):
      return judge(suspect.name, identity.size, hash, newest, history, isFinal: isFinal)
    case .unreadable(let error) where isFinal:
      result.note(Finding(.unreadable, suspect.name, "\(error)"))
      return true
    default: return false
    }
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
      result.note(Finding(.missing, name, "recorded with \(newest.bytes) bytes, not there"))
    }
    return isFinal
  }

  /// Compares an object with the records; false where its bytes have to be read for it.
  private mutating func judge(
    _ name: EntryName, _ size: Int64, _ hash: ContentHash?, _ newest: CostRecord,
    _ history: RecordHistory, isFinal: Bool
  ) -> Bool {
    if hash == nil, history.mayHold(size) { return false }
    let match = history.match(size, hash)
    guard match == .newest || isFinal else { return false }
    result.tally.entries += 1
    result.tally.bytes += size
    switch match {
    case .newest:
      result.tally.sound += 1
      if newest.hash == nil { result.tally.unhashed += 1 }
    case .earlier:
      result.note(
        Finding(
          .interrupted, name,
          "a store of \(newest.bytes) bytes did not finish; the earlier \(size) bytes are whole"))
    case .none: result.note(Finding(.damaged, name, newest.difference(from: size, hash)))
    }
    return true
  }
}

/// The records of one entry since it was last removed.
struct RecordHistory {
  private(set) var newest: CostRecord?
  private var earlier: [CostRecord] = []

  /// A hostile manifest must not fill the memory: of more records than this the latest count.
  private static let most = 64

  enum Match { case newest, earlier, none }

  mutating func add(_ record: CostRecord) {
    if let newest, !newest.isOfSameContent(as: record) {
      if earlier.count == Self.most { earlier.removeFirst() }
      earlier.append(newest)
    }
    newest = record
  }

  mutating func clear() { self = RecordHistory() }

  /// Whether content of this length may be what a record speaks of.
  func mayHold(_ size: Int64) -> Bool {
    newest?.bytes == size || earlier.contains { $0.bytes == size }
  }

  func match(_ size: Int64, _ hash: ContentHash?) -> Match {
    if newest?.isMatched(by: size, hash) == true { return .newest }
    return earlier.contains { $0.isMatched(by: size, hash) } ? .earlier : .none
  }
}

extension CostRecord {
  fileprivate func isOfSameContent(as other: CostRecord) -> Bool {
    bytes == other.bytes && hash == other.hash
  }

  /// A record without a hash, which a simple writer made, is matched by the length alone.
  func isMatched(by size: Int64, _ hash: ContentHash?) -> Bool {
    bytes == size && (self.hash == nil || self.hash == hash)
  }

  /// What is wrong with an object that is not what the record says.
  fileprivate func difference(from size: Int64, _ hash: ContentHash?) -> String {
    if size == 0 { return "empty, \(bytes) bytes recorded" }
    if size < bytes { return "cut short: \(size) bytes, \(bytes) recorded" }
    if size > bytes { return "too long: \(size) bytes, \(bytes) recorded" }
    let found = hash.map { "\($0)" } ?? "unknown"
    let recorded = self.hash.map { "\($0)" } ?? "none"
    return "other bits: XXH3-128 \(found), \(recorded) recorded"
  }
}

/// The shard's lock, shared with other readers: while it is held, no writer is in the middle of a
/// change.
struct SharedLock: ~Copyable {
  private let file: OpenFile?

  /// Whether it could be had: a reader may lack the right, and a writer may have been stopped.
  var isHeld: Bool { file != nil }

  /// Waits at most half a minute, in steps: a gc may hold the lock for a batch of removals.
  init(_ shard: Shard, of store: Store) {
    file = Self.lock(shard, of: store)
  }

  private static func lock(_ shard: Shard, of store: Store) -> OpenFile? {
    for _ in 0..<3000 {
      // Whatever keeps the lock from being had only makes the look slower.
      guard let file = try? store.root.open(Layout.lock(shard), O_RDONLY | O_NONBLOCK),
        let status = try? file.status(), status.kind == .regular
      else { return nil }
      if (try? file.lock(exclusive: false, blocking: false)) != nil { return file }
      usleep(10_000)
    }
    return nil
  }
}
