internal import CacheModel
internal import CacheStore

/// An order of entries: by a property and then by name, one way or the other.
struct ListOrder: Sendable, Equatable {
  let key: Key
  let isReversed: Bool

  /// The property.
  enum Key: Sendable { case used, stored, bytes, cost, key }

  /// Where an entry stands.
  struct Rank: Sendable, Equatable {
    let number: Int64
    let text: String
    let name: EntryName
  }

  /// What has to be known of an entry to rank it.
  var details: EntryQuery.Details {
    switch key {
    case .used: .object
    case .key: .origin
    case .stored, .bytes, .cost: []
    }
  }

  func rank(_ entry: Entry) -> Rank {
    switch key {
    case .used: Rank(number: entry.lastUse.milliseconds, text: "", name: entry.name)
    case .stored: Rank(number: entry.stored?.milliseconds ?? 0, text: "", name: entry.name)
    case .bytes: Rank(number: entry.bytes, text: "", name: entry.name)
    case .cost: Rank(number: entry.cost, text: "", name: entry.name)
    case .key: Rank(number: 0, text: entry.origin?.key.text ?? "", name: entry.name)
    }
  }

  /// Whether `a` is listed before `b`.
  func isBefore(_ a: Rank, _ b: Rank) -> Bool {
    isReversed ? Self.isLess(b, a) : Self.isLess(a, b)
  }

  private static func isLess(_ a: Rank, _ b: Rank) -> Bool {
    if a.number != b.number { return a.number < b.number }
    if a.text != b.text { return a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }
    return a.name < b.name
  }
}

// Cursors: the number and the name, or the name where that tells the rank.
extension ListOrder {
  func cursor(_ rank: Rank) -> String {
    key == .key ? "\(rank.name)" : "\(rank.number).\(rank.name)"
  }

  /// Reads a cursor; nil for what is none of this order.
  func rank(cursor: String, in store: Store) throws(StoreError) -> Rank? {
    let parts = cursor.split(separator: ".", omittingEmptySubsequences: false)
    guard let last = parts.last, let name = EntryName(last) else { return nil }
    if key == .key {
      guard parts.count == 1 else { return nil }
      return Rank(number: 0, text: try store.origin(of: name)?.key.text ?? "", name: name)
    }
    guard parts.count == 2, let number = Int64(parts[0]) else { return nil }
    return Rank(number: number, text: "", name: name)
  }
}

/// The first ranks of all that are offered; memory is that of twice as many as are kept.
struct FirstRanks {
  private let order: ListOrder
  private let most: Int
  private(set) var ranks: [ListOrder.Rank] = []
  /// Where enough are kept: the last of them, behind which none is wanted.
  private(set) var last: ListOrder.Rank?

  init(_ order: ListOrder, most: Int) {
    self.order = order
    self.most = most
  }

  mutating func offer(_ rank: ListOrder.Rank) {
    if let last, !order.isBefore(rank, last) { return }
    ranks.append(rank)
    if ranks.count >= most.addingReportingOverflow(max(most, 64)).partialValue, most < .max {
      settle()
    }
  }

  /// Puts what is kept in order.
  mutating func settle() {
    ranks.sort(by: order.isBefore)
    guard ranks.count >= most else { return }
    ranks.removeLast(ranks.count - most)
    last = ranks.last
  }
}
