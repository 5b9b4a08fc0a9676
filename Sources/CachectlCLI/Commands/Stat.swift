internal import CacheModel
internal import CacheStore
internal import CommandTable

/// `stat`: the cache in figures.
struct Stat: Sendable {
  var isExact = false
  var checks: [StatCheck] = []
  var asMetrics = false

  static let command = Command<Global>(
    "stat", "show the cache in figures", Stat(),
    page: Page(
      description: """
        Shows what the cache amounts to: entries, bytes, the use of each limit of its policy, how long ago entries were last used, how long they are, and their types and hosts. This is no use of any entry, and changes nothing.

        The manifests tell most of it. With `--exact` every object is looked at, for its true last use and its allocated bytes.

        For monitoring, each `--check` compares a figure with a limit, and the status is 1 unless all hold. The figures are \(checked). `free-bytes` and `free-inodes` must be at least the limit, all others at most.
        """,
      examples: [
        Example("cachectl stat", "a picture of the cache"),
        Example("cachectl stat -q --check budget=90 --check free-bytes=5GB", "for a monitor"),
        Example("cachectl stat --metrics > cachectl.prom", "for Prometheus"),
      ])
  ) {
    Switch("exact", \.isExact, help: "look at every object")
    Option("check", \.checks, each: StatCheck.value, help: "exit 1 where a figure passes its limit")
    Switch("metrics", \.asMetrics, help: "print OpenMetrics text")
  } run: { global, options in
    Session.run(global, "stat") { session throws(Session.Failure) in try options.run(session) }
  }

  private static let checked = StatCheck.figures.map { "`\($0.name)` (\($0.help))" }
    .joined(separator: ", ")

  private func run(_ session: Session) throws(Session.Failure) -> Verdict {
    if session.global.json, asMetrics {
      throw Session.Failure(.usage, "--json and --metrics exclude each other")
    }
    let store = try session.open(for: .reading)
    let report: StatReport = try session.attempt { () throws(StoreError) in
      try self.report(on: store, labels: !session.global.quiet || session.global.json || asMetrics)
    }
    for problem in report.figures.census.problems where problem.kind == .unreadable {
      session.say("cannot read \(printable(problem.path)): \(problem.detail)")
    }
    print(report, session)
    return report.verdict
  }

  private func report(on store: Store, labels: Bool) throws(StoreError) -> StatReport {
    let now = Instant.now
    return StatReport(
      store: store,
      figures: try CacheFigures(of: store, now: now, isExact: isExact, labels: labels),
      room: try store.fileSystem(), leftovers: try store.leftovers(now: now, removing: false),
      checks: checks)
  }

  private func print(_ report: StatReport, _ session: Session) {
    if asMetrics {
      session.output.write(StatMetrics(report).text.utf8)
    } else if session.global.json {
      session.document(report.store.path, report.verdict) { report.write(to: &$0) }
    } else if !session.global.quiet {
      report.lines.forEach(session.output.line)
    } else {
      for result in report.results where !result.isMet {
        session.output.line("\(result.name) is \(result.value), the limit is \(result.limit)")
      }
    }
  }
}
