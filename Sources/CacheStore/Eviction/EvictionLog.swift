internal import CacheModel
internal import Glibc
internal import Synchronization

/// state/evictions.jsonl: who was evicted, when and by which limit.
///
/// History, safe to delete; a full disk or a missing right only leaves it shorter.
final class EvictionLog: Sendable {
  /// The log's length at which it becomes the old one, whose predecessor goes.
  static let longest: Int64 = 8 << 20
  static let path = "state/evictions.jsonl"
  static let oldPath = "state/evictions.1.jsonl"

  private let store: Store
  private let turn = Mutex(())

  init(of store: Store) { self.store = store }

  /// Lines of one shard's evictions.
  struct Lines {
    fileprivate var json = JSONText()

    mutating func add(_ victim: Candidate, _ limit: Limit, at now: Instant) {
      json.beginObject()
      json.member("name", "\(victim.name)")
      json.member("evicted", now.milliseconds)
      json.member("limit", limit.rawValue)
      json.member("bytes", victim.bytes)
      json.member("last_use", victim.lastUse.milliseconds)
      json.endObject()
      json.endLine()
    }
  }

  func append(_ lines: consuming Lines) {
    if lines.json.bytes.isEmpty { return }
    let bytes = lines.json.bytes
    turn.withLock { _ in
      // History is worth less than the run that makes it: what cannot be written is left out.
      try? append(bytes)
    }
  }

  private func append(_ bytes: [UInt8]) throws(Errno) {
    let state = try store.root.directory(Layout.state, orMake: store.ownership)
    var file = try ManifestFile("evictions.jsonl", in: state)
    if file.length > Self.longest {
      try state.rename("evictions.jsonl", to: "evictions.1.jsonl", in: state)
      file = try ManifestFile("evictions.jsonl", in: state)
    }
    try file.append(bytes, in: state, of: store)
  }
}
