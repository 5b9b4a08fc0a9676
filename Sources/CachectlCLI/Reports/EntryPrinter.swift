internal import CacheModel
internal import CacheStore

/// Prints entries as they come.
final class EntryPrinter {
  private let session: Session
  private let store: Store
  private let format: Format
  private let isLong: Bool
  private let now: Instant
  private var json = JSONText()
  private var census = Census()

  /// How a listing is printed.
  enum Format: String, Sendable, CaseIterable { case table, json, jsonl }

  init(_ session: Session, _ store: Store, _ format: Format, isLong: Bool, now: Instant) {
    self.session = session
    self.store = store
    self.format = format
    self.isLong = isLong
    self.now = now
  }

  /// How the listing ended: what could not be read makes it incomplete.
  var verdict: Verdict {
    var verdict = Verdict()
    verdict.add(.incomplete, if: census.isIncomplete)
    return verdict
  }

  /// Keeps what a part of the cache came to.
  func take(_ part: Census) { for problem in part.problems { census.note(problem) } }

  func begin() {
    switch format {
    case .table: if !session.global.quiet { session.output.line(EntryColumns.head(isLong: isLong)) }
    case .jsonl: break
    case .json:
      json.beginDocument(session.command, store.path)
      json.name("entries")
      json.beginArray()
    }
  }

  func print(_ entry: Entry) {
    switch format {
    case .table:
      session.output.line(EntryColumns(entry, session, now: now).line(isLong: isLong))
    case .json: entry.write(to: &json, session)
    case .jsonl:
      entry.write(to: &json, session)
      json.endLine()
    }
    session.output.write(&json)
  }

  func end(next: String?) {
    finish(next)
    // What is said comes behind what is listed.
    session.output.flush()
    for problem in census.problems where problem.kind == .unreadable {
      session.say("cannot read \(printable(problem.path)): \(problem.detail)")
    }
    if let next { session.mention("more entries follow: --after \(next)") }
  }

  private func finish(_ next: String?) {
    guard format == .json else { return }
    json.endArray()
    json.member("next", next)
    json.members(of: verdict)
    json.endDocument()
    session.output.write(&json)
  }
}

extension Entry {
  /// The entry as an object.
  func write(to json: inout JSONText, _ session: Session) {
    json.beginObject()
    json.member("name", "\(name)")
    json.member("key", origin.map { session.shown($0.key.text) })
    json.member("bytes", bytes)
    json.member("cost", cost)
    json.member("last_use", lastUse)
    json.member("stored", stored)
    json.member("stray", isStray)
    json.member("xxh128", hash.map { "\($0)" })
    json.member("type", origin?.type)
    json.member("etag", origin?.etag)
    json.member("last_modified", origin?.lastModified)
    json.member("checked", origin?.checked)
    json.member("fresh_until", origin?.freshUntil)
    json.endObject()
  }
}
