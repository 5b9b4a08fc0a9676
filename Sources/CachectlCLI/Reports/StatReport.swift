internal import CacheModel
internal import CacheStore

/// A cache in figures, beside its policy and the checks that were asked for.
struct StatReport {
  let store: Store
  let figures: CacheFigures
  let room: FileSystemStatus
  let leftovers: Store.Leftovers
  let checks: [StatCheck]

  /// How much of a limit of the cache's own policy is used.
  struct BudgetLine {
    let name: String
    let used: Int64
    let limit: Int64
    /// Whether the amount must not fall below the limit, rather than not pass it.
    let isMinimum: Bool

    /// Hundredths of the limit, or of what is to be kept that is there; at most 999.
    var percent: Int64 {
      let (part, whole) = isMinimum ? (limit, used) : (used, limit)
      if whole <= 0 { return part <= 0 ? 0 : 999 }
      return min(999, Int64((Int128(part) * 100 / Int128(whole)).clampedToInt64))
    }
  }

  var budget: [BudgetLine] {
    let budget = store.configuration.budget
    let usage = figures.census.usage
    let bytes = budget.measure == .bytes ? usage.bytes : usage.allocated
    let lines: [(String, Int128, Int64?, Bool)] = [
      ("max-size", bytes, budget.maxBytes?.bytes, false),
      ("max-count", Int128(usage.entries), budget.maxCount, false),
      ("max-cost", usage.cost, budget.maxCost, false),
      ("max-age", Int128(oldestAge), budget.maxAge.map { $0.wholeMilliseconds / 1000 }, false),
      ("min-free", Int128(room.freeBytes), budget.minFree?.amount(of: room.totalBytes), true),
      (
        "min-free-inodes", Int128(room.freeInodes),
        budget.minFreeInodes?.amount(of: room.totalInodes), true
      ),
    ]
    return lines.compactMap { name, used, limit, isMinimum in
      limit.map {
        BudgetLine(name: name, used: Int64(clamping: used), limit: $0, isMinimum: isMinimum)
      }
    }
  }

  /// Seconds since the oldest last use; 0 where there is no entry.
  var oldestAge: Int64 {
    figures.oldest.map { max(0, figures.now.since($0).wholeMilliseconds / 1000) } ?? 0
  }

  /// Every check's value, and whether it holds.
  var results: [StatCheck.Result] { checks.map { $0.result(self) } }

  /// How the process ends.
  var verdict: Verdict {
    var verdict = Verdict()
    verdict.add(.findings, if: results.contains { !$0.isMet })
    verdict.add(.incomplete, if: figures.census.isIncomplete)
    return verdict
  }
}

extension Int128 {
  fileprivate var clampedToInt64: Int64 { Int64(clamping: self) }
}
