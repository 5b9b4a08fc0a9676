internal import CacheModel
internal import Glibc
internal import Synchronization

/// state/evictions.jsonl: who was evicted, when and by which limit.
///
/// History, safe to delete; a full disk or a missing right only leaves it shorter.
final class EvictionLog: Sendable {
  /// The log's length at which it becomes the old one, whose predecessor goes.
  static let longest: Int64 = 8 << 20
  private static let file = "evictions.jsonl"
  private static let oldFile = "evictions.1.jsonl"
  static let path = "state/\(file)"
  static let oldPath = "state/\(oldFile)"

  private let store: Store
  /// What may still be written: more than the log holds would go over its own lines.
  private let room = Mutex(2 * EvictionLog.longest)

  init(of store: Store) { self.store = store }

  /// Whether further lines are left out.
  var isFull: Bool { room.withLock { $0 <= 0 } }

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
    room.withLock { room in
      room -= Int64(bytes.count)
      // History is worth less than the run that makes it: what cannot be written is left out.
      try? append(bytes)
    }
  }

  private func append(_ bytes: [UInt8]) throws(Errno) {
    let state = try store.root.directory(Layout.state, orMake: store.ownership)
    var file = try ManifestFile(Self.path, in: store.root)
    if file.length > Self.longest {
      try state.rename(Self.file, to: Self.oldFile, in: state)
      file = try ManifestFile(Self.path, in: store.root)
    }
    try file.append(bytes, of: store)
  }
}
