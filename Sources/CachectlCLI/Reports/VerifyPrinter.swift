internal import CacheModel
internal import CacheStore

/// Prints findings as they come, and the report behind them.
///
/// The store hands over one batch at a time, from whichever thread is done.
final class VerifyPrinter: @unchecked Sendable {
  private let session: Session
  private let store: Store
  private var json = JSONText()

  init(_ session: Session, _ store: Store) {
    self.session = session
    self.store = store
  }

  func begin() {
    guard session.global.json else { return }
    json.beginObject()
    json.member("schema", "cachectl.verify/1")
    json.member("root", store.path)
    json.name("findings")
    json.beginArray()
  }

  func print(_ findings: [Finding]) {
    for finding in findings {
      var finding = finding
      finding.key = finding.key.map(session.shown)
      if session.global.json {
        finding.write(to: &json)
        session.output.write(&json)
      } else {
        session.output.line(finding.text)
      }
    }
    // A person or a log follows a run that takes hours.
    session.output.flush()
  }

  func end(_ report: VerifyReport) {
    guard session.global.json else {
      if !session.global.quiet { report.text.forEach(session.output.line) }
      return
    }
    json.endArray()
    report.write(to: &json)
    json.endObject()
    json.endLine()
    session.output.write(&json)
  }
}
