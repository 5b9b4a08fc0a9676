internal import CacheModel
internal import CacheStore

/// The report for people: a line for each finding as it comes, and what it all comes to.
final class VerifyText: VerifyWriter {
  private let session: Session

  init(_ session: Session) { self.session = session }

  func write(_ finding: Finding) {
    session.output.line(finding.text(session))
  }

  func end(_ report: VerifyReport) {
    if !session.global.quiet { report.lines.forEach(session.output.line) }
  }
}

extension VerifyReport {
  /// What it comes to, without the findings.
  var lines: [String] {
    let noun = tally.entries == 1 ? "entry" : "entries"
    let amount = "\(tally.entries) \(noun), \(ByteCount(max(0, tally.bytes)))"
    var text = ["checked \(amount): \(outcome)"]
    if tally.unhashed > 0 {
      text.append("\(tally.unhashed) records hold no hash: lengths alone were compared")
    }
    if tally.changing > 0 {
      text.append("\(tally.changing) entries changed whenever they were looked at")
    }
    if let repairs { text.append(repairs) }
    text += result.repaired.failures
    if let coverageLine { text.append(coverageLine) }
    if let incompleteness { text.append("incomplete: \(incompleteness)") }
    return text
  }

  /// Why not everything that was asked for was checked.
  private var incompleteness: String? {
    if let signal { return "stopped by signal \(signal)" }
    if tally[.unreadable] > 0 || tally.changing > 0 { return "not everything could be checked" }
    return result.reachedEnd ? nil : "the time was up"
  }

  private var outcome: String {
    let counts = Finding.Kind.allCases.filter { tally[$0] > 0 }.map { "\(tally[$0]) \($0.words)" }
    if !counts.isEmpty { return counts.joined(separator: ", ") }
    return isComplete && !result.isPartial ? "no errors found" : "nothing wrong in this part"
  }

  private var repairs: String? {
    let repaired = result.repaired
    let counts: [(Int64, String)] = [
      (repaired.quarantined, "put into quarantine"), (repaired.deleted, "deleted"),
      (repaired.refetched, "fetched again"),
      (repaired.restored, "of them as recorded, so that the damage was local"),
      (repaired.settled, "interrupted stores settled"), (repaired.ended, "missing ones ended"),
      (repaired.adopted, "strays adopted"), (repaired.spared, "changed meanwhile and left alone"),
      (repaired.failed, "failed"),
    ]
    let told = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return told.isEmpty ? nil : "repair: " + told.joined(separator: ", ")
  }

  private var coverageLine: String? {
    guard let promise, let coverage else { return nil }
    let kept = coverage.share >= promise.share ? "kept" : "not kept"
    return
      "coverage: \(percent(coverage.share)) of the bytes were verified within \(promise.window.words); \(percent(promise.share)) were promised: \(kept)"
  }

  private func percent(_ millionths: Int64) -> String {
    "\(millionths / 10_000).\(millionths / 1000 % 10)%"
  }
}

extension Finding.Kind {
  /// The kind in words that follow a number.
  var words: String {
    switch self {
    case .damagedLine: "damaged manifest lines"
    case .leftover: "leftovers"
    case .notAnImage: "no images"
    case .wrongType: "of another type than declared"
    case .cutOff: "cut off"
    default: rawValue
    }
  }

  /// The kind in words that stand before what it is about.
  var label: String { String(rawValue.map { $0 == "_" ? " " : $0 }) }
}

extension Finding {
  /// What the finding is about, for people.
  func subject(_ session: Session) -> String {
    key.map { "\(printable(session.shown($0))) (\(path))" } ?? path
  }

  /// The finding as a line.
  func text(_ session: Session) -> String { "\(kind.label): \(subject(session)): \(detail)" }
}
