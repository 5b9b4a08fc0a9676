internal import CacheFetch
internal import CacheModel
internal import CachePlan
internal import CacheStore
internal import CommandTable
internal import ImageCache

/// `revalidate`: asks the origins about stale entries.
struct Revalidate: Sendable {
  var all = false
  var host: String?
  var olderThan: Duration?
  var maxRequests: Int64?
  var maxDuration: Duration?
  var onGone = RevalidationOptions.Gone.keep
  var origin = OriginOptions()
  var isDryRun = false

  static let command = Command<Global>(
    "revalidate", "ask the origins about stale entries", Revalidate(),
    page: Page(
      description: """
        Asks the origins about stale entries, the stalest first, with `If-None-Match`, or `If-Modified-Since` where there is no ETag. What an origin confirms stays, with its new freshness; what it sends anew replaces the image at once and whole. Nothing else replaces an image: a body that is cut off, is no image or is declared as none is refused and reported, and whatever fails leaves the entry and its validators as they were. Last uses stay as they are.

        Progress is in the manifests themselves: a run that is killed is gone on with by the next.

        A host that fails ten times in a row, or asks for a longer wait than two minutes, is left alone for the rest of the run. So is a host that answers 404 or 410 for nearly everything, and with `--on-gone remove` none of its images is removed then.
        """,
      examples: [
        Example("cachectl revalidate --max-duration 10m", "from cron"),
        Example("cachectl revalidate --host img.example --on-gone remove", "one host"),
        Example("cachectl revalidate -n", "what would be asked"),
      ])
  ) {
    Switch("all", \.all, help: "ask about fresh entries as well")
    Option("host", \.host, value: .something("HOST"), help: "keys that are URLs of this host")
    Option("older-than", \.olderThan, value: .duration(), help: "last checked longer ago")
    Option(
      "max-requests", \.maxRequests, value: .number("N"),
      help: "entries to ask about at most")
    Option(
      "max-duration", \.maxDuration, value: .duration(), help: "ask nothing more after this time")
    Option(
      "on-gone", \.onGone, value: .oneOf(RevalidationOptions.Gone.self),
      help: "what a 404 or 410 does")
    Group(\.origin) { OriginOptions.rows() }
    Switch("dry-run", short: "n", \.isDryRun, help: "list what would be asked, and ask nothing")
  } run: { global, options in
    Session.run(global, "revalidate") { session throws(Session.Failure) in
      try options.run(session)
    }
  }

  private func options(for store: Store) -> RevalidationOptions {
    var options = RevalidationOptions(now: .now)
    options.rules.audience = store.configuration.audience
    options.includesFresh = all
    options.host = host?.asciiLowercased
    options.checkedBefore = olderThan.map { options.now.before(by: $0) }
    options.maxRequests = maxRequests
    options.maxDuration = maxDuration
    options.onGone = onGone
    return options
  }

  private func run(_ session: Session) throws(Session.Failure) -> Verdict {
    let store = try session.open(for: isDryRun ? .reading : .writing)
    if isDryRun { return preview(store, session) }
    let settings = try origin.settings(session, for: store)
    let stop = try session.stopOnSignals()
    var revalidation = Revalidation(store, options(for: store))
    let progress = Progress(session.global.progress, quiet: session.global.quiet, noun: "asked")
    revalidation.progress = { progress?.add(items: $0, bytes: $1) }
    let result: RevalidationResult
    do { result = try revalidation.run(settings, until: stop) } catch {
      progress?.end()
      throw Session.Failure(.incomplete, "\(error)")
    }
    progress?.end()
    let report = RevalidationReport(store.path, result, signal: Signals.caught)
    report.print(session)
    return report.verdict
  }

  private func preview(_ store: Store, _ session: Session) -> Verdict {
    let printer = AskablePrinter(session, store)
    printer.begin()
    let result = Revalidation(store, options(for: store)).preview { entry in
      printer.print(entry)
      return !session.output.isClosed
    }
    let report = RevalidationReport(store.path, result, signal: nil)
    printer.end(report)
    return report.verdict
  }
}
