internal import CacheModel
internal import CacheStore
internal import CommandTable

/// `ls`: pages through the entries.
struct List: Sendable {
  var filter = EntryFilter()
  var type: String?
  var largerThan: ByteCount?
  var sort: EntryOrder.Key?
  var reverse = false
  var limit = Limit.entries(List.page)
  var after: String?
  var format: EntryPrinter.Format?
  var long = false

  /// Entries of a page where `--limit` says nothing else.
  static let page = 1000

  /// How many entries are wanted.
  enum Limit: Equatable, Sendable {
    case entries(Int)
    case all
  }

  static let command = Command<Global>(
    "ls", "list entries", List(),
    page: Page(
      description: """
        Lists entries with their last use, length, type and key, a page of 1000 unless `--limit` says otherwise. Where more follow, the cursor that goes on is told on standard error, and in JSON as `next`.

        Without `--sort` the order is that of the names. The cache is then read shard by shard, as far as the page goes, so that a page of a cache of any size comes at once; filters read on until the page is full. With `--sort` all of the cache is looked at, and no more entries are kept in memory than are to be shown.

        A key is shown on one line, with escapes for what a terminal would obey. Where it is not recorded, the entry's name stands in its place; every command takes names as well.
        """,
      examples: [
        Example("cachectl ls --host img.example --older-than 30d", "what could go"),
        Example("cachectl ls --sort bytes --reverse --limit 5", "the five largest"),
        Example("cachectl ls --limit all --format jsonl", "everything, for a program"),
      ])
  ) {
    Option("sort", \.sort, value: .oneOf(sorts), help: "order by this, the smallest first")
    Switch("reverse", short: "r", \.reverse, help: "the other way round")
    Option("limit", \.limit, value: limits, help: "so many entries; 1000 where not given")
    Option("after", \.after, value: .something("CURSOR"), help: "go on where another page ended")
    Group(\.filter) { EntryFilter.rows() }
    Option(
      "type", \.type, value: .something("TYPE"), help: "media type, such as image/png or image/")
    Option("larger-than", \.largerThan, value: .size(), help: "longer than this")
    Switch("long", short: "l", \.long, help: "show everything that is recorded")
    Option("format", \.format, value: .oneOf(EntryPrinter.Format.self), help: "how to print")
    Rule.needs("--reverse", "--sort")
  } run: { global, options in
    Session.run(global, "ls") { session throws(Session.Failure) in try options.run(session) }
  }

  private static let sorts: [(word: String, value: EntryOrder.Key, help: String)] = [
    ("used", .used, "the last use: the order of eviction"),
    ("stored", .stored, "when it was stored"),
    ("bytes", .bytes, "the object's length"), ("cost", .cost, "the writer's measure"),
    ("key", .key, "the key"),
  ]

  private static let limits = Value<Limit>("N|all") { (text: String) throws(ValueError) in
    if text == "all" { return .all }
    return .entries(try Value<Int>.number("N").parse(Array(text.utf8)))
  }

  private func run(_ session: Session) throws(Session.Failure) -> Verdict {
    if session.global.json, let format, format != .json {
      throw Session.Failure(.usage, "--json and --format \(format.rawValue) exclude each other")
    }
    let store = try session.open(for: .reading)
    let now = Instant.now
    var query = filter.query(now: now)
    query.type = type?.asciiLowercased
    query.longerThan = largerThan?.bytes
    let format = format ?? (session.global.json ? .json : .table)
    let printer = EntryPrinter(session, store, format, isLong: long, now: now)
    if let sort {
      let order = EntryOrder(sort, isReversed: reverse)
      let listing = SortedListing(store, query, order, limit, now: now)
      try listing.run(after: after, session, printer)
    } else {
      try NameListing(store, query, limit, now: now).run(after: after, session, printer)
    }
    return printer.verdict
  }
}
