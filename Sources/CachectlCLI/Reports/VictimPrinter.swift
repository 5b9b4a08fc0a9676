internal import CacheModel
internal import CachePlan
internal import CacheStore

/// Prints victims as they are chosen, so that a million of them need no memory, and the report
/// behind them.
final class VictimPrinter {
  private let session: Session
  private let store: Store
  private var json = JSONText()
  private var isListing = false

  init(_ session: Session, _ store: Store) {
    self.session = session
    self.store = store
  }

  func begin(dryRun: Bool) {
    isListing = dryRun || session.global.verbosity > 0
    guard session.global.json else { return }
    json.beginObject()
    json.member("schema", "cachectl.gc/1")
    json.member("root", store.path)
    json.member("dry_run", dryRun)
    guard isListing else { return }
    json.name("victims")
    json.beginArray()
  }

  func print(_ victims: UnsafeBufferPointer<Candidate>, _ cutoffs: Cutoffs) {
    if session.output.isClosed || session.global.quiet && !session.global.json { return }
    let needsKeys = session.global.json || session.global.verbosity > 0
    let keys = needsKeys ? store.keys(of: victims.map(\.name)) : [:]
    for victim in victims {
      let key = keys[victim.name].map(session.shown)
      let limit = cutoffs.limit(for: victim)
      if session.global.json {
        write(victim, key, limit)
      } else {
        session.output.line(text(victim, key, limit))
      }
    }
    session.output.write(&json)
  }

  private func text(_ victim: Candidate, _ key: String?, _ limit: Limit) -> String {
    let bytes = String(victim.bytes)
    let pad = String(repeating: " ", count: max(0, 10 - bytes.utf8.count))
    let line = "\(victim.lastUse)  \(pad)\(bytes)  \(limit.rawValue)  \(victim.name)"
    return key.map { line + "  " + $0 } ?? line
  }

  private func write(_ victim: Candidate, _ key: String?, _ limit: Limit) {
    json.beginObject()
    json.member("name", "\(victim.name)")
    json.member("key", key)
    json.member("bytes", victim.bytes)
    json.member("last_use", victim.lastUse)
    json.member("limit", limit.rawValue)
    json.endObject()
  }

  func end(_ report: EvictionReport) {
    guard session.global.json else {
      if session.global.quiet { return }
      let isVerbose = session.global.verbosity > 0
      return report.text(verbose: isVerbose).forEach(session.output.line)
    }
    if isListing { json.endArray() }
    report.write(to: &json)
    json.endObject()
    json.endLine()
    session.output.write(&json)
  }
}
