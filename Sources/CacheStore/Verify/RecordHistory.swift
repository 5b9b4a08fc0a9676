internal import CacheModel

/// The records of one entry since it was last removed.
struct RecordHistory {
  private(set) var newest: CostRecord?
  private var earlier: [CostRecord] = []

  /// A hostile manifest must not fill the memory: of more records than this the latest count.
  private static let most = 64

  enum Match: Equatable {
    case newest
    case earlier(CostRecord)
    case none
  }

  mutating func add(_ record: CostRecord) {
    if let newest, !newest.isOfSameContent(as: record) {
      if earlier.count == Self.most { earlier.removeFirst() }
      earlier.append(newest)
    }
    newest = record
  }

  mutating func clear() { self = RecordHistory() }

  /// Whether content of this length may be what a record speaks of.
  func mayHold(_ size: Int64) -> Bool {
    newest?.bytes == size || earlier.contains { $0.bytes == size }
  }

  func match(_ size: Int64, _ hash: ContentHash?) -> Match {
    if newest?.isMatched(by: size, hash) == true { return .newest }
    return earlier.last { $0.isMatched(by: size, hash) }.map { .earlier($0) } ?? .none
  }
}

extension CostRecord {
  fileprivate func isOfSameContent(as other: CostRecord) -> Bool {
    bytes == other.bytes && hash == other.hash
  }

  /// A record without a hash, which a simple writer made, is matched by the length alone.
  func isMatched(by size: Int64, _ hash: ContentHash?) -> Bool {
    bytes == size && (self.hash == nil || self.hash == hash)
  }

  /// What is wrong with an object that is not what the record says.
  func difference(from size: Int64, _ hash: ContentHash?) -> String {
    if size == 0 { return "empty, \(bytes) bytes recorded" }
    if size < bytes { return "cut short: \(size) bytes, \(bytes) recorded" }
    if size > bytes { return "too long: \(size) bytes, \(bytes) recorded" }
    let found = hash.map { "\($0)" } ?? "unknown"
    let recorded = self.hash.map { "\($0)" } ?? "none"
    return "other bits: XXH3-128 \(found), \(recorded) recorded"
  }
}
