internal import CacheModel
internal import CacheStore

/// `cachectl.verify/1`: one document.
///
/// Findings come first, so that none waits in memory.
final class VerifyJSON: VerifyWriter {
  private let session: Session
  private let root: String
  private var json = JSONText()

  init(_ session: Session, root: String) {
    self.session = session
    self.root = root
  }

  func begin() {
    json.beginDocument("verify", root)
    json.name("findings")
    json.beginArray()
  }

  func write(_ finding: Finding) {
    json.beginObject()
    json.members(of: finding, session)
    json.endObject()
    session.output.write(&json)
  }

  func end(_ report: VerifyReport) {
    json.endArray()
    report.write(to: &json)
    json.endDocument()
    session.output.write(&json)
  }
}

/// JSON Lines: `cachectl.verify.finding/1` for each finding as it comes, and `cachectl.verify/1` without
/// findings as the last line.
final class VerifyLines: VerifyWriter {
  private let session: Session

  init(_ session: Session) { self.session = session }

  func write(_ finding: Finding) {
    var json = JSONText()
    json.beginObject()
    json.member("schema", "cachectl.verify.finding/1")
    json.members(of: finding, session)
    json.endDocument()
    session.output.write(&json)
  }

  func end(_ report: VerifyReport) {
    var json = JSONText()
    json.beginDocument("verify", report.root)
    report.write(to: &json)
    json.endDocument()
    session.output.write(&json)
  }
}

extension VerifyReport {
  /// The members of `cachectl.verify/1` beside the findings.
  func write(to json: inout JSONText) {
    json.members(of: verdict)
    json.member("complete", isComplete)
    json.member("partial", result.isPartial)
    json.object("checked") { json in
      json.member("entries", tally.entries)
      json.member("bytes", tally.bytes)
    }
    json.object("counts") { json in
      json.member("sound", tally.sound)
      for kind in Finding.Kind.allCases { json.member(kind.countName, tally[kind]) }
    }
    json.member("unhashed", tally.unhashed)
    json.member("torn_lines", tally.tornLines)
    json.member("changing", tally.changing)
    json.object("repaired") { $0.members(of: result.repaired) }
    if let coverage { json.object("coverage") { $0.members(of: coverage, promise) } }
    json.member("keeping_trouble", result.keepingTrouble)
  }
}

extension JSONText {
  fileprivate mutating func members(of repaired: RepairTally) {
    member("quarantined", repaired.quarantined)
    member("deleted", repaired.deleted)
    member("refetched", repaired.refetched)
    member("restored", repaired.restored)
    member("settled", repaired.settled)
    member("ended", repaired.ended)
    member("adopted", repaired.adopted)
    member("spared", repaired.spared)
    member("failed", repaired.failed)
    member("failures", repaired.failures)
  }

  fileprivate mutating func members(of coverage: Coverage, _ promise: CoveragePromise?) {
    member("promised_ppm", promise?.share ?? 0)
    member("covered_ppm", coverage.share)
    member("window", (promise?.window ?? .zero).wholeMilliseconds / 1000)
    member("entries", coverage.entries)
    member("bytes", coverage.bytes)
    member("covered_entries", coverage.coveredEntries)
    member("covered_bytes", coverage.coveredBytes)
    member("oldest_check", coverage.oldest)
  }

  fileprivate mutating func members(of finding: Finding, _ session: Session) {
    member("class", finding.kind.rawValue)
    member("name", finding.name.map { "\($0)" })
    member("key", finding.key.map(session.shown))
    member("path", finding.path)
    member("detail", finding.detail)
  }
}

extension Finding.Kind {
  /// The name among the counts.
  fileprivate var countName: String { self == .damagedLine ? "damaged_lines" : rawValue }
}
