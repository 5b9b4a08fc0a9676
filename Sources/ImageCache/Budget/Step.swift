internal import CacheModel

/// How much may be stored before the whole is looked at again.
struct Step: Sendable {
  private var bytes: Int128?
  private var entries: Int128?
  private var cost: Int128?

  /// No step.
  init() {}

  /// A quarter of what is left, and never less than a hundredth of the limit: a look costs some
  /// milliseconds.
  init(_ budget: Budget, _ usage: Usage) {
    func step(_ limit: Int64?, _ used: Int128) -> Int128? {
      limit.map { max(1, Int128($0) / 100, (Int128($0) - used) / 4) }
    }
    bytes = step(budget.maxBytes?.bytes, usage.bytes)
    entries = step(budget.maxCount, Int128(usage.entries))
    cost = step(budget.maxCost, usage.cost)
    // Room on the file system is everybody's: what is stored here tells little of it.
    if budget.minFree != nil || budget.minFreeInodes != nil {
      bytes = min(bytes ?? 64_000_000, 64_000_000)
      entries = min(entries ?? 4096, 4096)
    }
  }

  /// Makes the step a part of itself, 0 to 1.
  mutating func shorten(by part: Double) {
    let thousandths = Int128(part * 1000)
    bytes = bytes.map { $0 * thousandths / 1000 }
    entries = entries.map { $0 * thousandths / 1000 }
    cost = cost.map { $0 * thousandths / 1000 }
  }

  func isTaken(by stored: Usage, times: Int = 1) -> Bool {
    func isTaken(_ step: Int128?, _ stored: Int128) -> Bool {
      step.map { stored >= $0 * Int128(times) } ?? false
    }
    return isTaken(bytes, stored.bytes) || isTaken(entries, Int128(stored.entries))
      || isTaken(cost, stored.cost)
  }
}
