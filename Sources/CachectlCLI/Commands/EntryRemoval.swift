internal import CacheModel
internal import CacheStore
internal import Synchronization

/// The removal of entries that a person named or described.
final class EntryRemoval: Sendable {
  private let store: Store
  private let isDryRun: Bool
  private let now = Instant.now
  private let state = Mutex(State())
  private let printer: Mutex<Printer>

  private struct State {
    var outcome = RemovalOutcome()
    var census = Census()
  }

  /// Lists what goes, from whichever thread.
  private struct Printer: @unchecked Sendable {
    let session: Session
    let isListing: Bool
    var json = JSONText()

    mutating func print(_ entry: Entry) {
      guard isListing else { return }
      let key = entry.origin.map { session.shown($0.key.text) }
      if session.global.json {
        json.beginObject()
        json.member("name", "\(entry.name)")
        json.member("key", key)
        json.member("bytes", entry.bytes)
        json.member("last_use", entry.lastUse)
        json.endObject()
        session.output.write(&json)
      } else {
        session.output.line(
          "\(entry.name)  \(String(entry.bytes).narrow(10))  \(key.map(printable) ?? "-")")
      }
    }
  }

  init(_ store: Store, _ session: Session, isDryRun: Bool) {
    self.store = store
    self.isDryRun = isDryRun
    let isListing =
      (isDryRun || session.global.verbosity > 0) && (!session.global.quiet || session.global.json)
    var printer = Printer(session: session, isListing: isListing)
    if session.global.json {
      printer.json.beginDocument(session.command, store.path)
      printer.json.member("dry_run", isDryRun)
      if isListing {
        printer.json.name("entries")
        printer.json.beginArray()
      }
    }
    self.printer = Mutex(printer)
  }

  /// Removes every entry that fits.
  func run(_ filter: EntryFilter) throws(StoreError) {
    var query = filter.query(now: now)
    if isListing { query.details = [.object, .origin] }
    try store.forEachShard(now: now) { [query] reader, shard in
      self.remove(reader.entries(of: shard, matching: query), usedBefore: query.usedBefore)
      self.state.withLock { $0.census.merge(reader.census) }
      return Signals.caught == nil ? .goOn : .stop
    }
  }

  /// Removes entries by their names.
  func run(_ names: [EntryName]) throws(StoreError) {
    let reader = try EntryReader(store, now: now)
    var query = EntryQuery()
    for (shard, names) in Dictionary(grouping: names, by: \.shard) where Signals.caught == nil {
      let names = Set(names)
      if isListing {
        query.details = [.object, .origin]
        query.names = names
        let entries = reader.entries(of: shard, matching: query)
        remove(entries, usedBefore: nil, absent: names.subtracting(entries.map(\.name)))
      } else {
        let outcome = store.remove(Array(names), now: now)
        state.withLock { $0.outcome.merge(outcome) }
      }
    }
  }

  private var isListing: Bool { printer.withLock { $0.isListing || isDryRun } }

  private func remove(
    _ entries: [Entry], usedBefore: Instant?, absent: Set<EntryName> = []
  ) {
    printer.withLock { printer in entries.forEach { printer.print($0) } }
    var outcome = RemovalOutcome()
    if isDryRun {
      outcome.removed = Int64(entries.count)
      outcome.bytes = entries.reduce(0) { (ByteCount($0) + ByteCount($1.bytes)).bytes }
      outcome.absent = Int64(absent.count)
    } else {
      outcome = store.remove(
        entries.map(\.name) + absent, usedBefore: usedBefore, now: now)
    }
    state.withLock { $0.outcome.merge(outcome) }
  }

  /// Says what was done.
  func report() -> Verdict {
    let (outcome, census) = state.withLock { ($0.outcome, $0.census) }
    var verdict = Verdict()
    verdict.add(.incomplete, if: outcome.failureCount > 0 || census.isIncomplete)
    verdict.signal = Signals.caught
    printer.withLock { printer in
      let session = printer.session
      for failure in outcome.failures { session.say(failure) }
      for problem in census.problems where problem.kind == .unreadable {
        session.say("cannot read \(printable(problem.path)): \(problem.detail)")
      }
      if session.global.json {
        if printer.isListing { printer.json.endArray() }
        printer.json.members(of: verdict)
        outcome.write(to: &printer.json)
        printer.json.endDocument()
        session.output.write(&printer.json)
      } else if !session.global.quiet {
        session.output.line(outcome.text(isDryRun: isDryRun))
      }
    }
    return verdict
  }
}

extension RemovalOutcome {
  fileprivate func text(isDryRun: Bool) -> String {
    var text =
      "\(isDryRun ? "would remove" : "removed") \(removed.counted("entry", "entries")), \(ByteCount(bytes))"
    if absent > 0 { text += "; \(absent) not in the cache" }
    if spared > 0 { text += "; \(spared) used meanwhile stay" }
    if failureCount > 0 { text += "; \(failureCount) failed" }
    return text
  }

  fileprivate func write(to json: inout JSONText) {
    json.object("removed") { json in
      json.member("entries", removed)
      json.member("bytes", bytes)
    }
    json.member("absent", absent)
    json.member("spared", spared)
    json.member("failed", failureCount)
    json.member("failures", failures)
  }
}
