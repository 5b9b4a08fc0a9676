internal import CacheModel
internal import Synchronization

/// The part of a shard that is checked at a time: its entries, handed out in small runs to whichever
/// thread asks next, and what was suspicious about them.
final class VerifySlice: @unchecked Sendable {
  /// What one object has to be.
  struct Item {
    let name: EntryName
    let bytes: Int64
    let hash: ContentHash?
    /// What the origin said it is; looked up only where images are checked.
    var declared = DeclaredType.none
  }

  /// An entry that is not simply sound, as it was first seen.
  struct Suspect {
    let name: EntryName
    var look: ObjectReader.Look
  }

  /// How many entries a thread takes at a time: of small ones more, so that taking them costs little
  /// beside reading them.
  private let run: Int

  let order: SliceOrder
  let directory: Directory
  /// When its records were read: what is stored from then on is not among what was checked.
  let start: Instant
  private let items: [Item]
  private let next = Atomic<Int>(0)
  private let left: Atomic<Int>
  private let result: Mutex<SliceResult>

  init(
    _ order: SliceOrder, _ directory: consuming Directory, _ items: [Item],
    _ result: SliceResult, start: Instant
  ) {
    self.order = order
    self.directory = directory
    self.items = items
    self.start = start
    let bytes = items.reduce(Int128(0)) { $0 + Int128($1.bytes) }
    run = min(max(8, Int(clamping: Int128(items.count) << 18 / max(bytes, 1))), 64)
    self.result = Mutex(result)
    left = Atomic(items.count)
  }

  /// Whether nothing is left to hand out.
  var isHandedOut: Bool { next.load(ordering: .relaxed) >= items.count }

  /// Whether entries have been handed out.
  var isBegun: Bool { next.load(ordering: .relaxed) > 0 }

  /// Whether there was nothing to hand out.
  var isEmpty: Bool { items.isEmpty }

  /// The next entries to check.
  func take() -> ArraySlice<Item>? {
    let start = next.add(run, ordering: .relaxed).oldValue
    guard start < items.count else { return nil }
    return items[start..<min(start + run, items.count)]
  }

  /// Takes back what was found of `count` entries; true where they were the last ones.
  func give(_ count: Int, _ found: SliceResult) -> Bool {
    result.withLock { $0.merge(found) }
    return left.subtract(count, ordering: .acquiringAndReleasing).newValue == 0
  }

  /// What came of all entries; for whoever gave the last ones.
  func takeResult() -> SliceResult { result.withLock { $0 } }
}

/// Which part of which shard.
struct SliceOrder: Sendable {
  /// The place among the orders of a run, which is the place of its findings in the report.
  let index: Int
  let shard: Shard
  var filter = Filter.units(.all)
  /// Whether the shard's lines and foreign names are this order's to report: one order's a shard.
  var ownsShard = true

  enum Filter: Sendable {
    case units(UnitMask)
    case names(Set<EntryName>)
  }

  /// Whether all entries of the shard are to be checked.
  var isWhole: Bool { if case .units(.all) = filter { true } else { false } }

  /// Whether the entry is to be checked.
  @inline(__always)
  func holds(_ name: EntryName) -> Bool {
    switch filter {
    case .units(let mask): mask.holds(name)
    case .names(let names): names.contains(name)
    }
  }
}

/// What came of a slice, or of a part of it.
struct SliceResult {
  var tally = VerifyTally()
  var suspects: [VerifySlice.Suspect] = []
  var findings: [Finding] = []
  /// A manifest holds lines that are no records.
  var hasBadLines = false
  /// What can be repaired.
  var repairs: [RepairOrder] = []
  var repaired = RepairTally()

  mutating func merge(_ other: SliceResult) {
    tally.merge(other.tally)
    suspects += other.suspects
    findings += other.findings
    hasBadLines = hasBadLines || other.hasBadLines
    repairs += other.repairs
    repaired.merge(other.repaired)
  }

  mutating func note(_ finding: Finding) {
    tally[finding.kind] += 1
    findings.append(finding)
  }
}
