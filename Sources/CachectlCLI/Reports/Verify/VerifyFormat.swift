internal import CacheModel
internal import CacheStore

/// For whom `verify` reports.
enum VerifyFormat: String, Sendable {
  case text, json, jsonl, junit, github

  static let choices: [(word: String, value: VerifyFormat, help: String)] = [
    ("text", .text, "for people"),
    ("json", .json, "one document, as `--json`"),
    ("jsonl", .jsonl, "a line for each finding as it is found, and one for the report"),
    ("junit", .junit, "JUnit XML, which CI servers show"),
    ("github", .github, "annotations of GitHub Actions"),
  ]

  func writer(_ session: Session, root: String) -> any VerifyWriter {
    switch self {
    case .text: VerifyText(session)
    case .json: VerifyJSON(session, root: root)
    case .jsonl: VerifyLines(session)
    case .junit: VerifyJUnit(session)
    case .github: VerifyGitHub(session)
    }
  }
}

/// One format of the report: findings as they come, and the numbers behind them.
///
/// Keys come masked.
protocol VerifyWriter: AnyObject {
  func begin()
  func write(_ finding: Finding)
  func end(_ report: VerifyReport)
}

extension VerifyWriter {
  func begin() {}
}

/// Nothing but what went wrong, on standard error: standard output is the list's.
final class VerifySilence: VerifyWriter {
  private let session: Session

  init(_ session: Session) { self.session = session }

  func write(_ finding: Finding) {}

  func end(_ report: VerifyReport) { report.lines.forEach(session.mention) }
}
