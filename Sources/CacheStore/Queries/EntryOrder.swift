public import CacheModel

/// An order of entries: by a property and then by name, one way or the other.
public struct EntryOrder: Sendable, Equatable {
  /// The property.
  public let key: Key
  /// Whether the largest comes first.
  public let isReversed: Bool

  /// What entries are ordered by: the last use, the time of storing, the object's length, the
  /// writer's measure, or the key.
  public enum Key: Sendable { case used, stored, bytes, cost, key }

  /// Orders by a property, the smallest first unless `isReversed`.
  public init(_ key: Key, isReversed: Bool = false) {
    self.key = key
    self.isReversed = isReversed
  }

  /// Where an entry stands.
  public struct Rank: Sendable, Equatable {
    let number: Int64
    let text: String
    /// The entry.
    public let name: EntryName
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
extension EntryOrder {
  /// A text that tells where to go on behind an entry.
  public func cursor(_ rank: Rank) -> String {
    key == .key ? "\(rank.name)" : "\(rank.number).\(rank.name)"
  }

  /// Reads a cursor; nil for what is none of this order.
  ///
  /// - Throws: ``StoreError`` where the manifest that tells the rank cannot be read.
  public func rank(cursor: String, in store: Store) throws(StoreError) -> Rank? {
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
