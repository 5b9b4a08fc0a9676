internal import CacheModel
internal import CacheStore
internal import CommandTable

/// `init`: makes a cache.
struct Init: Sendable {
  var directory: [UInt8]?
  var sharing = Sharing.private
  var isDurable = false
  var budget = BudgetOptions()

  static let command = Command<Global>(
    "init", "make a cache", Init(),
    page: Page(
      description: """
        Makes a cache in `DIR`, or where `--root` and the environment say. The directory may be missing or empty; one that holds anything else is refused, and so is one that is a cache already. A making that was cut short is completed.

        The limits become the cache's own policy, which `gc` without a limit uses; `config` changes them later.
        """,
      examples: [
        Example("cachectl init /var/cache/images --max-size 20GB", "a cache with a policy"),
        Example(
          "cachectl init /srv/images --shared group", "one that all members of its group write"),
      ],
      files: [
        Term("cachectl.json", "marks a cache; holds its layout number and policy"),
        Term("CACHEDIR.TAG", "tells backup tools to leave the tree out"),
      ], seeAlso: [Reference("cachectl-layout", 5)])
  ) {
    Argument(
      "DIR", \.directory, value: .path("DIR", completes: .directory), help: "where to make it")
    Option("shared", \.sharing, value: .oneOf(sharings), help: "who may use the cache")
    Switch("durable", \.isDurable, help: "wait at each store until its bytes are on the disk")
    Group(\.budget) { BudgetOptions.rows() }
  } run: { global, options in
    Session.run(global, "init") { session throws(Session.Failure) in try options.run(session) }
  }

  private static let sharings: [(word: String, value: Sharing, help: String)] = [
    ("private", .private, "nobody but its owner"),
    ("group", .group, "the group reads and writes"),
    ("all", .all, "the group reads and writes, everybody else reads"),
  ]

  private func run(_ session: Session) throws(Session.Failure) -> Verdict {
    let path = try path(session)
    var configuration = Configuration(sharing: sharing, isDurable: isDurable)
    budget.set(&configuration.budget)
    let store = try session.attempt { () throws(StoreError) in
      try Store.create(at: path, configuration)
    }
    if session.global.json {
      session.document(store.path, Verdict()) { Setting.write(store.configuration, to: &$0) }
    } else if !session.global.quiet {
      session.output.line("made a cache in \(printable(store.path))")
    }
    return Verdict()
  }

  private func path(_ session: Session) throws(Session.Failure) -> String {
    guard let directory else { return try session.rootSearch().path }
    if session.global.root != nil {
      throw Session.Failure(.usage, "DIR and --root both name the cache: give one of them")
    }
    guard let path = String(validating: directory, as: UTF8.self) else {
      throw Session.Failure(.usage, "DIR is not UTF-8: cd there and give .")
    }
    return path
  }
}
