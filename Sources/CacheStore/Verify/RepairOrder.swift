internal import CacheModel

/// What to do about what can be repaired.
public enum VerifyRepair: String, Sendable, CaseIterable {
  /// Nothing.
  case none
  /// Damaged objects go to quarantine/, with a note of what was found.
  case quarantine
  /// Damaged objects go.
  case delete
  /// Damaged objects stay until whoever asks for the check has got them anew.
  case refetch
}

/// How many repairs there were.
public struct RepairTally: Sendable, Equatable {
  /// Damaged objects that lie in quarantine/ now.
  public var quarantined: Int64 = 0
  /// Damaged objects that are gone.
  public var deleted: Int64 = 0
  /// Damaged objects that were got anew.
  public var refetched: Int64 = 0
  /// Of them those that came as they were recorded: the damage was done here, not at the origin.
  public var restored: Int64 = 0
  /// Interrupted stores whose earlier record holds again.
  public var settled: Int64 = 0
  /// Records without an object that were ended.
  public var ended: Int64 = 0
  /// Strays that have a record now.
  public var adopted: Int64 = 0
  /// Entries that changed since they were judged, and were left alone.
  public var spared: Int64 = 0
  /// Repairs that failed.
  public var failed: Int64 = 0
  /// Why, for the first of them.
  public var failures: [String] = []

  /// Nothing yet.
  public init() {}

  /// Takes in another part's numbers.
  public mutating func merge(_ other: RepairTally) {
    quarantined += other.quarantined
    deleted += other.deleted
    refetched += other.refetched
    restored += other.restored
    settled += other.settled
    ended += other.ended
    adopted += other.adopted
    spared += other.spared
    failed += other.failed
    failures += other.failures.prefix(max(0, Census.mostProblems - failures.count))
  }

  /// Counts a repair that failed.
  public mutating func fail(_ reason: String) {
    failed += 1
    if failures.count < Census.mostProblems { failures.append(reason) }
  }
}

/// One entry that can be repaired, as it was judged.
struct RepairOrder {
  enum Kind {
    case damaged
    /// The earlier record that the object matches.
    case interrupted(CostRecord)
    case missing
    case stray
  }

  let kind: Kind
  let name: EntryName
  /// The object; nil where there is none.
  let identity: ObjectReader.Identity?
  /// The newest record, which must still be the newest.
  let record: CostRecord?
  let detail: String
  var hash: ContentHash?
}
