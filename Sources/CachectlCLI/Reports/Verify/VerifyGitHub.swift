internal import CacheModel
internal import CacheStore

/// Annotations of GitHub Actions: workflow commands that the runner reads from standard output.
final class VerifyGitHub: VerifyWriter {
  private let session: Session

  init(_ session: Session) { self.session = session }

  func write(_ finding: Finding) {
    let level = finding.kind.isFailure || finding.kind == .unreadable ? "error" : "warning"
    let title = property("cache: " + finding.kind.label)
    let message = data("\(finding.subject(session)): \(finding.detail)")
    session.output.line("::\(level) title=\(title)::\(message)")
  }

  func end(_ report: VerifyReport) {
    let level = report.verdict.status == 0 ? "notice" : "error"
    let message = data(report.lines.joined(separator: "\n"))
    session.output.line("::\(level) title=cachectl verify::\(message)")
  }

  /// What would end the command, or an escape, is escaped.
  private func data(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      switch character {
      case "%": escaped += "%25"
      case "\r": escaped += "%0D"
      case "\n": escaped += "%0A"
      default: escaped.append(character)
      }
    }
  }

  private func property(_ text: String) -> String {
    data(text).reduce(into: "") { escaped, character in
      switch character {
      case ":": escaped += "%3A"
      case ",": escaped += "%2C"
      default: escaped.append(character)
      }
    }
  }
}
