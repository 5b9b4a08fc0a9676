/// What checking came to, in numbers.
public struct VerifyTally: Sendable, Equatable {
  /// Entries whose object was read and compared.
  public var entries: Int64 = 0
  /// The bytes of their objects.
  public var bytes: Int64 = 0
  /// Entries that are as their records say.
  public var sound: Int64 = 0
  /// Entries among the sound ones whose record holds no hash: their length alone was compared.
  public var unhashed: Int64 = 0
  /// Entries that were replaced whenever they were looked at: nothing is concluded.
  public var changing: Int64 = 0
  /// Damaged lines that are the beginning of a record: writes that a crash cut short.
  public var tornLines: Int64 = 0
  private var counts = [Int64](repeating: 0, count: Finding.Kind.allCases.count)

  /// Nothing yet.
  public init() {}

  /// Counts a sound entry.
  mutating func add(soundOf bytes: Int64) {
    entries += 1
    self.bytes += bytes
    sound += 1
  }

  /// How many findings of a kind there are.
  public subscript(kind: Finding.Kind) -> Int64 {
    get { counts[kind.index] }
    set { counts[kind.index] = newValue }
  }

  /// Takes in another part's numbers.
  public mutating func merge(_ other: VerifyTally) {
    entries += other.entries
    bytes += other.bytes
    sound += other.sound
    unhashed += other.unhashed
    changing += other.changing
    tornLines += other.tornLines
    for index in counts.indices { counts[index] += other.counts[index] }
  }
}

extension Finding.Kind {
  /// The place among all kinds.
  fileprivate var index: Int {
    Self.allCases.firstIndex(of: self) ?? 0
  }
}
