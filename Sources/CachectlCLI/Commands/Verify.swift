internal import CacheModel
internal import CacheStore
internal import CommandTable

/// `verify`: hashes every object and compares it with its records.
struct Verify: Sendable {
  var strict = false
  var jobs: Int?

  static let command = Command<Global>(
    "verify", "check every entry against its records", Verify(),
    page: Page(
      description: """
        Hashes every object and compares it with its records. Changes nothing unless told to: no time, no manifest, no order of eviction. It works on a read-only mount and beside writers and `gc`: what is replaced while it is checked is looked at again.

        Findings have a class each. `damaged`: no record matches the object; bits changed, or it was cut short, emptied or lengthened. `damaged_line`: a line of a manifest that is no record. `interrupted`: a store did not finish, and the earlier image is whole. `missing`: a record without an object. `stray`: an object without a record. `unreadable`: permissions or I/O; nothing is concluded. `foreign`: no regular file or no entry's name. `leftover`: a dead writer's file in `tmp/`.

        Damage makes the exit status 1, what could not be read makes it 3. The other classes are what crashes, evictions by hand and simple writers leave behind: they are reported and do not change the status, unless `--strict`. Nor does a line that a crash tore off while it was written.
        """,
      examples: [
        Example("cachectl verify", "check everything; exit 1 where something is damaged"),
        Example("cachectl --json verify", "the same, as one JSON document"),
      ])
  ) {
    Switch("strict", \.strict, help: "exit 1 for any finding")
    Option(
      "jobs", short: "j", \.jobs, value: .number("N", in: 1...1024),
      help: "threads that read; otherwise as many as the disk can use")
  } run: { global, options in
    Session.run(global, "verify") { session throws(Session.Failure) in try options.run(session) }
  }

  private func run(_ session: Session) throws(Session.Failure) -> Verdict {
    let store = try session.open(for: .reading)
    Signals.catchAll()
    let progress = Progress(
      session.global.progress, quiet: session.global.quiet, noun: "checked")
    var request = VerifyRequest(now: .now)
    request.jobs = jobs
    request.shouldStop = { Signals.caught != nil }
    request.progress = { progress?.add(items: $0, bytes: $1) }
    let printer = VerifyPrinter(session, store)
    printer.begin()
    let tally = store.verify(request) { printer.print($0) }
    progress?.end()
    let report = VerifyReport(
      root: store.path, tally: tally, isStrict: strict, signal: Signals.caught)
    printer.end(report)
    return report.verdict
  }
}
