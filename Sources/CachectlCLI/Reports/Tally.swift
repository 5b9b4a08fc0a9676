internal import CacheModel

/// Entries and bytes by a label, such as the host.
///
/// Memory is bounded: labels beyond the first few thousand are counted together.
struct Tally: Sendable {
  private(set) var amounts: [String: Amount] = [:]
  /// Entries whose label came too late to be kept.
  private(set) var further = Amount()

  /// How many labels are kept.
  static let most = 4096
  /// A longer label is nobody's host or media type.
  private static let longest = 255

  /// So many entries, with so many bytes.
  struct Amount: Sendable, Equatable {
    var entries: Int64 = 0
    var bytes = ByteCount.zero

    mutating func add(_ other: Amount) {
      entries += other.entries
      bytes = bytes + other.bytes
    }
  }

  mutating func add(_ label: String, _ amount: Amount) {
    let isKept =
      label.utf8.count <= Self.longest
      && (amounts.count < Self.most || amounts[label] != nil)
    if isKept { amounts[label, default: Amount()].add(amount) } else { further.add(amount) }
  }

  mutating func merge(_ other: Tally) {
    for (label, amount) in other.amounts { add(label, amount) }
    further.add(other.further)
  }

  /// The labels with the most bytes, and what all others amount to.
  func largest(_ count: Int) -> (first: [(label: String, amount: Amount)], others: Amount) {
    let sorted = amounts.sorted { ($1.value.bytes, $0.key) < ($0.value.bytes, $1.key) }
    var others = further
    for (_, amount) in sorted.dropFirst(count) { others.add(amount) }
    return (sorted.prefix(count).map { ($0.key, $0.value) }, others)
  }
}

/// Entries and bytes by steps of a quantity.
struct Steps: Sendable, Equatable {
  /// What each step goes up to, itself included; one step more holds the rest.
  let ends: [Int64]
  private(set) var amounts: [Tally.Amount]

  init(upTo ends: [Int64]) {
    self.ends = ends
    amounts = Array(repeating: Tally.Amount(), count: ends.count + 1)
  }

  mutating func add(_ value: Int64, _ amount: Tally.Amount) {
    amounts[ends.firstIndex { value <= $0 } ?? ends.count].add(amount)
  }

  mutating func merge(_ other: Steps) {
    for (index, amount) in other.amounts.enumerated() { amounts[index].add(amount) }
  }
}
