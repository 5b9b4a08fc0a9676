internal import CacheModel
internal import CacheStore
internal import CommandTable

/// `show`: tells everything that is known of one entry.
struct Show: Sendable {
  var key = ""
  var isExact = false

  static let command = Command<Global>(
    "show", "tell everything known of one entry", Show(),
    page: Page(
      description: """
        Shows where the entry of `KEY` or of a name (64 hex digits) lies, what is recorded of it, whether its content is what was recorded, its last use, its freshness and its place in the order of eviction. This is no use of the entry.

        The place is estimated from the entries that share a directory with this one, a 256th of the cache; a small cache is counted. `--exact` counts any.
        """,
      examples: [Example("cachectl show https://img.example/a.jpg", "all about one image")],
      seeAlso: [Reference("cachectl-layout", 5)])
  ) {
    Argument("KEY", \.key, value: .knownKey(), help: "the entry, by its key or its name")
    Switch("exact", \.isExact, help: "count the place in the order of eviction")
  } run: { global, options in
    Session.run(global, "show") { session throws(Session.Failure) in try options.run(session) }
  }

  private func run(_ session: Session) throws(Session.Failure) -> Verdict {
    let target = try EntryTarget(key, session)
    let store = try session.open(for: .reading)
    let now = Instant.now
    let inspection = try session.attempt { () throws(StoreError) in
      try store.inspect(target.name, now: now)
    }
    let place: Place? = try session.attempt { () throws(StoreError) in
      try self.place(of: inspection, in: store, now: now)
    }
    let report = EntryReport(
      inspection: inspection, place: place, path: store.objectPath(of: target.name), now: now)
    if session.global.json {
      session.document(store.path, report.verdict) { report.write(to: &$0, session) }
    } else if inspection.state == .absent {
      session.say("not in the cache: \(target.shown)")
    } else {
      report.lines(session).forEach(session.output.line)
    }
    return report.verdict
  }

  private func place(
    of inspection: Inspection, in store: Store, now: Instant
  ) throws(StoreError) -> Place? {
    guard inspection.bytes != nil, let lastUse = inspection.lastUse else { return nil }
    return isExact
      ? try store.place(of: inspection.name, lastUse: lastUse, now: now)
      : try store.estimatedPlace(of: inspection.name, lastUse: lastUse, now: now)
  }
}
