internal import CacheModel
internal import CacheStore

/// Prints changes as they come: a line each, for people or as JSON.
struct ChangePrinter {
  private let session: Session
  private let store: Store
  private let isJSON: Bool

  init(_ session: Session, _ store: Store, isJSON: Bool) {
    self.session = session
    self.store = store
    self.isJSON = isJSON
  }

  /// Prints changes that were told together.
  func print(_ changes: some Collection<CacheChange>) {
    let keys = store.keys(of: changes.compactMap(\.name), by: .all)
    let now = Instant.now
    for change in changes {
      let key = change.name.flatMap { keys[$0] }.map(session.shown)
      if isJSON { json(change, key, now) } else { text(change, key, now) }
    }
    // Somebody waits for it.
    session.output.flush()
  }

  private func text(_ change: CacheChange, _ key: String?, _ now: Instant) {
    let subject = key.map(printable) ?? change.name.map { "\($0)" } ?? "shard \(change.shard)"
    let size = change.bytes.map { "  \(ByteCount(max(0, $0)))" } ?? ""
    session.output.line("\(now)  \(change.event)  \(subject)\(size)")
  }

  private func json(_ change: CacheChange, _ key: String?, _ now: Instant) {
    var json = JSONText()
    json.beginObject()
    json.member("schema", "cachectl.watch/1")
    json.member("time", "\(now)")
    json.member("event", change.event)
    json.member("shard", "\(change.shard)")
    json.member("name", change.name.map { "\($0)" })
    json.member("key", key)
    if let bytes = change.bytes { json.member("bytes", bytes) }
    json.endObject()
    json.endLine()
    session.output.write(&json)
  }
}

extension CacheChange {
  /// The change in a word.
  fileprivate var event: String {
    switch self {
    case .stored: "stored"
    case .removed: "removed"
    case .updated: "updated"
    case .rewritten: "rewritten"
    }
  }

  fileprivate var bytes: Int64? {
    if case .stored(_, let bytes) = self { bytes } else { nil }
  }
}
