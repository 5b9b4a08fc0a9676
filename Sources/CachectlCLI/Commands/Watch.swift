internal import CacheFetch
internal import CacheModel
internal import CacheStore
internal import CommandTable
internal import Glibc

/// `watch`: tells what happens to the cache while it happens.
struct Watch: Sendable {
  var limit: Int?
  var format: Format?

  /// How changes are printed.
  enum Format: String, Sendable, CaseIterable { case text, jsonl }

  static let command = Command<Global>(
    "watch", "tell what happens to the cache as it happens", Watch(),
    page: Page(
      description: """
        Prints a line for every entry that any process stores, removes or asks its origin about, until it is interrupted. Of several changes to one entry within a moment the last is told. However many there are, none is lost.

        The manifests are watched by inotify(7): what a program does that keeps none, or what another host does on a network mount, stays unseen. Where a shard's manifest is written anew (`compact`, `gc`), the line says so and names the shard.
        """,
      examples: [
        Example("cachectl watch", "until Ctrl-C"),
        Example("cachectl watch --json | jq -r 'select(.event==\"stored\").key'", "new keys"),
      ])
  ) {
    Option(
      "limit", \.limit, value: .number("N", in: 1...Int.max), help: "end after so many changes")
    Option("format", \.format, value: .oneOf(Format.self), help: "how to print")
  } run: { global, options in
    Session.run(global, "watch") { session throws(Session.Failure) in try options.run(session) }
  }

  private func run(_ session: Session) throws(Session.Failure) -> Verdict {
    if session.global.json, format == .text {
      throw Session.Failure(.usage, "--json and --format text exclude each other")
    }
    let stop = try session.stopOnSignals()
    let store = try session.open(for: .reading)
    let watch = try session.attempt { () throws(StoreError) in try ChangeWatch(store) }
    session.mention("watching \(store.path)")
    let printer = ChangePrinter(
      session, store, isJSON: session.global.json || format == .jsonl)
    var left = limit ?? .max
    while left > 0, !session.output.isClosed {
      let changes = try session.attempt { () throws(StoreError) in
        try watch.next(until: stop.descriptor)
      }
      guard let changes else { break }
      printer.print(changes.prefix(left))
      left -= min(left, changes.count)
    }
    var verdict = Verdict()
    verdict.signal = Signals.caught
    return verdict
  }
}
