internal import CacheModel
internal import CachePlan
internal import ImageCache

/// What a revalidation came to, for people and for programs.
struct RevalidationReport {
  let root: String
  let result: RevalidationResult
  let signal: Int32?

  init(_ root: String, _ result: RevalidationResult, signal: Int32?) {
    self.root = root
    self.result = result
    self.signal = signal
  }

  /// How the process ends: an origin that failed leaves something undone, a limit that was asked for
  /// does not.
  var verdict: Verdict {
    var verdict = Verdict()
    let isLeftAlone = result.hosts.values.contains { $0.verdict != nil }
    verdict.add(.incomplete, if: result.failureCount > 0 || isLeftAlone)
    verdict.signal = signal
    return verdict
  }

  func print(_ session: Session) {
    if session.global.json {
      session.document(root, verdict) { json in
        json.member("dry_run", false)
        write(to: &json, session)
      }
      return
    }
    for failure in result.failures {
      let key = failure.key.map { printable(session.shown($0)) + ": " } ?? ""
      session.say(key + printable(failure.reason))
    }
    let unlisted = result.failureCount - Int64(result.failures.count)
    if unlisted > 0 { session.say("and \(unlisted) more") }
    for (host, part) in hosts {
      if let verdict = part.verdict { session.say("\(host) was left alone: \(verdict)") }
    }
    if !session.global.quiet { lines.forEach(session.output.line) }
  }

  private var hosts: [(origin: String, part: RevalidationResult.Host)] {
    result.hosts.map { ("\($0.key)", $0.value) }.sorted { $0.0 < $1.0 }
  }

  private var lines: [String] {
    let counts = result.counts
    var parts = ["\(counts.notModified) not modified"]
    if counts.unchanged > 0 { parts.append("\(counts.unchanged) sent again unchanged") }
    parts.append("\(counts.replaced) replaced")
    if counts.gone > 0 { parts.append("\(counts.gone) gone (\(result.removed) removed)") }
    if counts.failed > 0 { parts.append("\(counts.failed) failed and kept") }
    if counts.superseded > 0 { parts.append("\(counts.superseded) changed by others meanwhile") }
    if result.skipped > 0 { parts.append("\(result.skipped) skipped") }
    let bytes = ByteCount(max(0, result.bytesReceived))
    var lines = [
      "asked about \(counts.asked): " + parts.joined(separator: ", ") + "; \(bytes) received"
    ]
    if !result.isComplete { lines.append("incomplete: there is more to ask about") }
    return lines
  }
}

extension RevalidationReport {
  /// The members of `cachectl.revalidate/1` behind those that all documents share.
  func write(to json: inout JSONText, _ session: Session) {
    json.member("complete", result.isComplete)
    write(result.counts, to: &json)
    json.member("removed", result.removed)
    json.member("kept", result.kept)
    json.member("skipped", result.skipped)
    json.member("requests", result.requests)
    json.member("bytes_received", result.bytesReceived)
    json.array("hosts") { json in
      for (origin, part) in hosts {
        json.beginObject()
        json.member("host", String(origin.drop { $0 != "/" }.dropFirst(2)))
        json.member("origin", origin)
        write(part.counts, to: &json)
        json.member("left_alone", part.verdict.map { "\($0)" })
        json.endObject()
      }
    }
    json.member("failure_count", result.failureCount)
    json.array("failures") { json in
      for failure in result.failures {
        json.beginObject()
        json.member("key", failure.key.map(session.shown))
        json.member("reason", failure.reason)
        json.endObject()
      }
    }
  }

  private func write(_ counts: RevalidationResult.Counts, to json: inout JSONText) {
    json.member("asked", counts.asked)
    json.member("not_modified", counts.notModified)
    json.member("unchanged", counts.unchanged)
    json.member("replaced", counts.replaced)
    json.member("gone", counts.gone)
    json.member("failed", counts.failed)
    json.member("superseded", counts.superseded)
  }
}
