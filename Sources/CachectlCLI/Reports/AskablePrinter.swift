internal import CacheModel
internal import CachePlan
internal import CacheStore
internal import ImageCache

/// Prints what a revalidation would ask about, as it is found.
final class AskablePrinter {
  private let session: Session
  private let store: Store
  private var json = JSONText()

  init(_ session: Session, _ store: Store) {
    self.session = session
    self.store = store
  }

  func begin() {
    guard session.global.json else { return }
    json.beginDocument("revalidate", store.path)
    json.member("dry_run", true)
    json.name("entries")
    json.beginArray()
  }

  func print(_ entry: AskableEntry) {
    let freshness = entry.origin.freshness
    let key = session.shown(entry.origin.key.text)
    let validator = entry.isValidated ? freshness.validator?.name : nil
    guard session.global.json else {
      session.output.line("\(freshness.freshUntil)  \(validator ?? "-")  \(printable(key))")
      return
    }
    json.beginObject()
    json.member("name", "\(entry.name)")
    json.member("key", key)
    json.member("checked", freshness.checked)
    json.member("fresh_until", freshness.freshUntil)
    json.member("validator", validator)
    json.endObject()
    session.output.write(&json)
  }

  func end(_ report: RevalidationReport) {
    guard session.global.json else {
      return report.result.failures.forEach { session.say($0.reason) }
    }
    json.endArray()
    json.members(of: report.verdict)
    report.write(to: &json, session)
    json.endDocument()
    session.output.write(&json)
  }
}
