internal import CacheModel
internal import CachePlan

/// What a gc run found, did and left: the proof that the budget holds, or why it does not.
struct EvictionReport {
  var isDryRun = false
  var budget: Budget
  var now: Instant
  var before: Census
  var after: Census
  var roomBefore: FileSystemStatus
  var roomAfter: FileSystemStatus
  var outcome: EvictionOutcome
  /// Objects looked at while victims were chosen.
  var looked: Int64 = 0
  var oldestKept: Instant?
  var oldestVictim: Instant?
  var isHeldByGrace = false
  /// Victims that were used within the last day.
  var youngVictims: Int64 = 0
  var leftovers: Int64 = 0
  var leftoverBytes: Int64 = 0
  var compactedBytes: Int64 = 0
  var signal: Int32?

  init(
    _ census: Census, _ outcome: EvictionOutcome, _ budget: Budget, _ now: Instant,
    _ room: FileSystemStatus
  ) {
    before = census
    after = census
    self.outcome = outcome
    self.budget = budget
    self.now = now
    roomBefore = room
    roomAfter = room
  }

  mutating func take(_ ages: VictimAges) {
    youngVictims = ages.young
    oldestVictim = ages.oldest
  }

  /// One limit's state.
  struct Line: Equatable {
    var limit: Limit
    var most: Int64
    var before: Int64
    var after: Int64
    var isMet: Bool
    var why: String?
  }

  /// Every limit of the budget, in the order in which victims are laid at their door.
  var lines: [Line] {
    Limit.allCases.compactMap { limit in
      guard let (most, before, after) = values(of: limit) else { return nil }
      let isMet = isMinimum(limit) ? after >= most : after <= most
      return Line(
        limit: limit, most: most, before: before, after: after, isMet: isMet,
        why: isMet ? nil : why(limit))
    }
  }

  /// Whether every limit holds.
  var isMet: Bool { lines.allSatisfy(\.isMet) }

  private func isMinimum(_ limit: Limit) -> Bool { limit == .minFree || limit == .minFreeInodes }

  /// The limit, and the amount that it bounds before and after.
  private func values(of limit: Limit) -> (most: Int64, before: Int64, after: Int64)? {
    switch limit {
    case .maxAge:
      budget.maxAge.map {
        ($0.wholeMilliseconds / 1000, age(of: [oldestVictim, oldestKept]), age(of: [oldestKept]))
      }
    case .maxBytes:
      budget.maxBytes.map { ($0.bytes, measured(before.usage), measured(after.usage)) }
    case .maxCount: budget.maxCount.map { ($0, before.usage.entries, after.usage.entries) }
    case .maxCost:
      budget.maxCost.map {
        ($0, Int64(clamping: before.usage.cost), Int64(clamping: after.usage.cost))
      }
    case .minFree:
      budget.minFree.map {
        ($0.amount(of: roomBefore.totalBytes), roomBefore.freeBytes, roomAfter.freeBytes)
      }
    case .minFreeInodes:
      budget.minFreeInodes.map {
        ($0.amount(of: roomBefore.totalInodes), roomBefore.freeInodes, roomAfter.freeInodes)
      }
    }
  }

  /// Seconds since the earliest of these last uses; 0 where there is none.
  private func age(of lastUses: [Instant?]) -> Int64 {
    guard let oldest = lastUses.compactMap({ $0 }).min() else { return 0 }
    return max(0, now.since(oldest).wholeMilliseconds / 1000)
  }

  private func measured(_ usage: Usage) -> Int64 {
    Int64(clamping: budget.measure == .bytes ? usage.bytes : usage.allocated)
  }

  private func why(_ limit: Limit) -> String {
    if let signal { return "stopped by signal \(signal)" }
    if outcome.failureCount > 0 { return "\(outcome.failureCount) victims could not be removed" }
    if isHeldByGrace {
      return "all that is left was used within the grace period of \(budget.grace.words)"
    }
    if outcome.spared > 0 { return "\(outcome.spared) victims were used or replaced meanwhile" }
    if isMinimum(limit) { return "the space is held by something else than this cache" }
    return "entries came in while the run went on"
  }

  /// How the process ends.
  var verdict: Verdict {
    var verdict = Verdict()
    verdict.add(.unmet, if: !isMet)
    verdict.add(.incomplete, if: before.isIncomplete || after.isIncomplete)
    verdict.add(.incomplete, if: outcome.failureCount > 0)
    verdict.signal = signal
    return verdict
  }
}
