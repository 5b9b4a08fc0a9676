public import CacheModel

/// How much has to go, and on whose account.
public struct Demand: Sendable, Equatable {
  /// What each limit still asks for, in its own unit; absent where it asks for nothing.
  public private(set) var amounts: [Limit: Int128] = [:]
  /// Entries last used before this have to go.
  public let ageCutoff: Instant?
  private let measure: Budget.Measure

  /// What `budget` asks of a cache that uses `usage` of a file system in state `room`.
  ///
  /// A limit that is passed is brought down to its target, one that holds asks for nothing.
  public init(_ budget: Budget, usage: Usage, room: FileSystemStatus, now: Instant) {
    measure = budget.measure
    ageCutoff = budget.maxAge.map { now.before(by: $0) }
    let bytes = budget.measure == .bytes ? usage.bytes : usage.allocated
    put(.maxBytes, bytes, over: budget.maxBytes?.bytes, target: budget.target)
    put(.maxCount, Int128(usage.entries), over: budget.maxCount, target: budget.target)
    put(.maxCost, usage.cost, over: budget.maxCost, target: budget.target)
    put(.minFree, room.freeBytes, below: budget.minFree, of: room.totalBytes)
    // A file system that makes inodes as it goes cannot run out of them.
    if room.totalInodes > 0 {
      put(.minFreeInodes, room.freeInodes, below: budget.minFreeInodes, of: room.totalInodes)
    }
  }

  private mutating func put(_ limit: Limit, _ used: Int128, over most: Int64?, target: Int) {
    guard let most, used > Int128(most) else { return }
    amounts[limit] = used - Self.goal(most, target: target)
  }

  private mutating func put(
    _ limit: Limit, _ free: Int64, below share: Budget.Share?, of total: Int64
  ) {
    guard let least = share?.amount(of: total), free < least else { return }
    amounts[limit] = Int128(least) - Int128(free)
  }

  /// Whether no amount is asked for any more; an age asks for entries, not for an amount.
  public var isMet: Bool { amounts.isEmpty }

  /// Whether entries at or behind `key` may be asked for.
  func reaches(behind key: Candidate.Key) -> Bool {
    !isMet || (ageCutoff.map { key.lastUse < $0 } ?? false)
  }

  /// What a limit is brought down to.
  static func goal(_ most: Int64, target: Int) -> Int128 { Int128(most) * Int128(target) / 100 }

  /// What one candidate contributes to a limit that counts amounts.
  func weight(_ candidate: Candidate, for limit: Limit) -> Int128 {
    switch limit {
    case .maxAge: 0
    case .maxBytes: Int128(measure == .bytes ? candidate.bytes : candidate.allocated)
    case .maxCount, .minFreeInodes: 1
    case .maxCost: Int128(candidate.cost)
    case .minFree: Int128(candidate.allocated)
    }
  }

  /// Takes off what has gone.
  mutating func subtract(_ outcome: EvictionOutcome) {
    let went = outcome.removed + outcome.gone
    let freed = outcome.freedBytes + outcome.gone.allocated
    subtract(.maxBytes, measure == .bytes ? went.bytes : freed)
    subtract(.maxCount, Int128(went.entries))
    subtract(.maxCost, went.cost)
    subtract(.minFree, freed)
    subtract(.minFreeInodes, Int128(outcome.freedInodes + outcome.gone.entries))
  }

  private mutating func subtract(_ limit: Limit, _ amount: Int128) {
    guard let held = amounts[limit] else { return }
    amounts[limit] = held > amount ? held - amount : nil
  }

  /// The same demand made of a part of the cache.
  func scaled(_ part: Int, of whole: Int) -> Demand {
    var scaled = self
    scaled.amounts = amounts.mapValues { $0 * Int128(part) / Int128(whole) + 1 }
    return scaled
  }
}
