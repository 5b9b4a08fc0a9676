internal import Synchronization

/// A store whose entries can be counted and evicted, whatever its layout.
public protocol Inventory: Sendable {
  /// Why the store could not be read or changed.
  associatedtype Failure: Error

  /// How many batches a scan offers. Entries must be spread evenly over them, as digests are.
  var partCount: Int { get }

  /// Counts every entry, offering them to `take` in batches, from several threads at once.
  ///
  /// Every candidate is classified by the request. Reads only. What cannot be read is a problem in the census, not an error.
  func scan(
    _ request: ScanRequest, _ take: @Sendable (ArraySlice<Candidate>, Census) -> Void
  ) throws(Failure) -> Census

  /// Looks at the objects of `candidates` and puts the truth in the place of bounds.
  func look(at candidates: UnsafeMutableBufferPointer<Candidate>, _ request: ScanRequest)

  /// Removes `victims`, looking at each again first. In whatever order is fastest, which they are
  /// left in.
  func evict(
    _ victims: UnsafeMutableBufferPointer<Candidate>, _ orders: EvictionOrders
  ) -> EvictionOutcome
}

/// What a scan is for.
public struct ScanRequest: Sendable {
  /// The present, which times in the future are held to.
  public var now: Instant
  /// How closely to look.
  public var depth: Depth
  /// Entries before this place in the order are looked at, and offered only where the truth puts
  /// them behind it.
  public var floor: Candidate.Key?
  /// Where candidates stop being of interest, as far as that is known; they are counted all the same.
  public var horizon = Horizon()
  /// The length or cost from which on an entry alone is too much, in whatever the budget measures.
  public var ceiling = Ceiling()
  /// Asked between objects that are looked at for their last use: whether to choose no further.
  public var shouldStop: @Sendable () -> Bool = { false }

  /// Asks for a scan.
  public init(now: Instant, depth: Depth = .index, floor: Candidate.Key? = nil) {
    self.now = now
    self.depth = depth
    self.floor = floor
  }

  /// Marks a candidate that alone is more than a limit allows.
  @inlinable
  public func classify(_ candidate: inout Candidate) {
    if ceiling.isPassed(by: candidate) {
      candidate.traits.insert(.oversized)
    } else {
      candidate.traits.remove(.oversized)
    }
  }

  /// What one entry may be at most.
  public struct Ceiling: Sendable, Equatable {
    /// Its length.
    public var bytes = Int64.max
    /// Its allocated bytes.
    public var allocated = Int64.max
    /// Its cost.
    public var cost = Int64.max

    /// No ceiling.
    public init() {}

    /// Whether a candidate is more than that.
    @inlinable
    public func isPassed(by candidate: Candidate) -> Bool {
      candidate.bytes > bytes || candidate.allocated > allocated || candidate.cost > cost
    }
  }

  /// How closely to look.
  public enum Depth: Sendable {
    /// Where the index is known to be right, it is enough.
    case index
    /// Every object is looked at, for its allocated bytes.
    case objects
    /// Every directory is listed too, and what the index had wrong is reported.
    case full
  }
}

/// A last use that only ever moves down while a scan goes on: candidates used later need not be
/// offered.
public final class Horizon: Sendable {
  private let milliseconds = Atomic<Int64>(.max)

  /// No horizon yet.
  public init() {}

  /// The present horizon.
  public var lastUse: Instant {
    Instant(milliseconds: milliseconds.load(ordering: .relaxed))
  }

  /// Moves the horizon down to `lastUse`.
  public func lower(to lastUse: Instant) {
    _ = milliseconds.min(lastUse.milliseconds, ordering: .relaxed)
  }
}

/// How to remove.
public struct EvictionOrders: Sendable {
  /// The present, as the plan took it.
  public var now: Instant
  /// The limit that each victim is for; goes into the records.
  public var why: @Sendable (Candidate) -> Limit
  /// Removals per second at most; nil for as fast as it goes.
  public var rate: Int64?
  /// Asked between removals: whether to stop with what is done.
  public var shouldStop: @Sendable () -> Bool
  /// Told how many were removed since the last time, and their bytes.
  public var progress: @Sendable (Int64, Int64) -> Void

  /// Orders without a rate.
  public init(
    now: Instant, why: @escaping @Sendable (Candidate) -> Limit, rate: Int64? = nil,
    shouldStop: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in }
  ) {
    self.now = now
    self.why = why
    self.rate = rate
    self.shouldStop = shouldStop
    self.progress = progress
  }
}

/// What came of a removal.
public struct EvictionOutcome: Sendable {
  /// What was removed.
  public var removed = Usage()
  /// Inodes that went, and the bytes they had allocated: an inode with other names stays.
  public var freedInodes: Int64 = 0
  /// Allocated bytes of the inodes that went.
  public var freedBytes: Int128 = 0
  /// Victims that were gone already.
  public var gone = Usage()
  /// Victims that were used or replaced since the plan, and stay.
  public var spared: Int64 = 0
  /// Victims that stay or were gone, each with the reason: the first of them.
  public var skips: [Failure] = []
  /// Victims that would not go, each with the reason.
  public var failures: [Failure] = []
  /// How many would not go, those beyond the kept ones included.
  public var failureCount: Int64 = 0
  /// The oldest last use among those that would not go.
  public var oldestLeft: Instant?
  /// Whether the run was stopped before its end.
  public var wasStopped = false

  /// A victim that would not go.
  public struct Failure: Sendable, Equatable {
    /// The entry.
    public var name: EntryName
    /// What the kernel said.
    public var reason: String

    /// Puts a failure together.
    public init(name: EntryName, reason: String) {
      self.name = name
      self.reason = reason
    }
  }

  /// Nothing yet.
  public init() {}

  /// Keeps a failure, up to as many as a census keeps problems.
  public mutating func note(_ failure: Failure) {
    failureCount += 1
    if failures.count < Census.mostProblems { failures.append(failure) }
  }

  /// Keeps a victim that was passed over, up to as many.
  public mutating func skip(_ name: EntryName, _ reason: String) {
    if skips.count < Census.mostProblems { skips.append(Failure(name: name, reason: reason)) }
  }

  /// Takes in what another part of the run did.
  public mutating func merge(_ other: EvictionOutcome) {
    removed = removed + other.removed
    freedInodes += other.freedInodes
    freedBytes += other.freedBytes
    gone = gone + other.gone
    spared += other.spared
    failureCount += other.failureCount
    skips += other.skips.prefix(max(0, Census.mostProblems - skips.count))
    failures += other.failures.prefix(max(0, Census.mostProblems - failures.count))
    oldestLeft = [oldestLeft, other.oldestLeft].compactMap { $0 }.min()
    wasStopped = wasStopped || other.wasStopped
  }
}

/// The limits of a budget, in the order in which a victim is laid at their door.
public enum Limit: String, Sendable, CaseIterable {
  /// Last used too long ago.
  case maxAge = "max-age"
  /// Too many bytes.
  case maxBytes = "max-bytes"
  /// Too many entries.
  case maxCount = "max-count"
  /// Too much cost.
  case maxCost = "max-cost"
  /// Too little room on the file system.
  case minFree = "min-free"
  /// Too few inodes on the file system.
  case minFreeInodes = "min-free-inodes"
}
