internal import CacheModel
internal import CacheStore
internal import CommandTable

/// `compact`: rewrites the manifests.
struct Compact: Sendable {
  static let command = Command<Global>(
    "compact", "rewrite the manifests without their dead lines", Compact(),
    page: Page(
      description: """
        Rewrites the manifests of every shard, each under its lock: lines of entries that were replaced or removed go, as do lines that cannot be read, and the last uses that the objects tell are written down. No record is lost that an object may still match. `gc` does the same where it is worth it.
        """,
      examples: [Example("cachectl compact", "after a great removal")],
      seeAlso: [Reference("cachectl-layout", 5)])
  ) {
  } run: { global, options in
    Session.run(global, "compact") { session throws(Session.Failure) in try options.run(session) }
  }

  private func run(_ session: Session) throws(Session.Failure) -> Verdict {
    let store = try session.open(for: .writing)
    Signals.catchAll()
    let progress = Progress(
      session.global.progress, quiet: session.global.quiet, noun: "shards",
      total: (Int64(Shard.all.count), 0))
    let (result, errors) = store.compact(
      Shard.all, learningUses: true, unless: { Signals.caught != nil },
      progress: { progress?.add(items: 1, bytes: $0.bytesBefore) })
    progress?.end()
    return report(result, errors.map { "\($0)" }, store, session)
  }

  private func report(
    _ result: CompactionResult, _ failures: [String], _ store: Store, _ session: Session
  ) -> Verdict {
    var verdict = Verdict()
    verdict.add(.incomplete, if: !failures.isEmpty)
    verdict.signal = Signals.caught
    failures.forEach(session.say)
    if session.global.json {
      session.document(store.path, verdict) { json in
        json.object("before") { $0.members(lines: result.linesBefore, bytes: result.bytesBefore) }
        json.object("after") { $0.members(lines: result.linesAfter, bytes: result.bytesAfter) }
        json.member("damaged_lines", result.damagedLines)
        json.member("failures", failures)
      }
    } else if !session.global.quiet {
      session.output.line(
        "\(result.linesBefore) lines became \(result.linesAfter),"
          + " \(ByteCount(result.bytesBefore)) became \(ByteCount(result.bytesAfter))")
    }
    return verdict
  }
}

extension JSONText {
  fileprivate mutating func members(lines: Int, bytes: Int64) {
    member("lines", lines)
    member("bytes", bytes)
  }
}
