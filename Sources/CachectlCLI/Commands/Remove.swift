internal import CacheModel
internal import CacheStore
internal import CommandTable
internal import Synchronization

/// `rm`: removes entries.
struct Remove: Sendable {
  var keys: [String] = []
  var from: [UInt8]?
  var filter = EntryFilter()
  var isDryRun = false

  static let command = Command<Global>(
    "rm", "remove entries", Remove(),
    page: Page(
      description: """
        Removes the entries that are named, by key or by name (64 hex digits), or all that fit every filter that is given. Readers that have an image open keep it. What is not in the cache needs no removal and is no error.

        A `FILE` of `--from` holds a key or a name on each line, as `verify --list` writes it. With `--older-than`, an entry that is used while the run goes on stays.
        """,
      examples: [
        Example("cachectl rm https://img.example/a.jpg", "one entry"),
        Example("cachectl rm --host img.example --older-than 30d -n", "what would go"),
        Example("cachectl rm --from damaged.txt", "what a file lists"),
      ])
  ) {
    Argument("KEY", \.keys, each: .knownKey(), help: "an entry, by its key or its name")
    Option(
      "from", \.from, value: .path("FILE"), help: "keys or names, one a line; - for standard input")
    Group(\.filter) { EntryFilter.rows() }
    Switch("dry-run", short: "n", \.isDryRun, help: "list what would go and remove nothing")
    Rule.atLeastOne("KEY", "--from", "--prefix", "--host", "--older-than")
    Rule.atMostOne("KEY", "--from", "--prefix")
    Rule.atMostOne("KEY", "--from", "--host")
    Rule.atMostOne("KEY", "--from", "--older-than")
  } run: { global, options in
    Session.run(global, "rm") { session throws(Session.Failure) in try options.run(session) }
  }

  private func run(_ session: Session) throws(Session.Failure) -> Verdict {
    var names: [EntryName] = []
    for key in keys { names.append(try EntryTarget(key, session).name) }
    if let from { names += try NameFile(from).names(session) }
    let store = try session.open(for: isDryRun ? .reading : .writing)
    Signals.catchAll()
    let removal = EntryRemoval(store, session, isDryRun: isDryRun)
    if filter.isSet {
      try session.attempt { () throws(StoreError) in try removal.run(filter) }
    } else {
      try session.attempt { () throws(StoreError) in try removal.run(names) }
    }
    return removal.report()
  }
}
