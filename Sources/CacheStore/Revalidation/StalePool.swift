/// The stalest entries, as many as memory allows.
///
/// It is exact before ``horizon`` and says nothing behind it.
struct StalePool {
  private(set) var kept: [StaleEntry] = []
  /// The first place that is not covered; nil while everything offered was kept.
  private(set) var horizon: StaleEntry?
  private let capacity: Int

  /// Keeps between half of `capacity` and all of it.
  init(capacity: Int) { self.capacity = capacity }

  mutating func offer(_ entries: [StaleEntry]) {
    for entry in entries {
      if let horizon, horizon <= entry { continue }
      if kept.count == capacity { halve() }
      if let horizon, horizon <= entry { continue }
      kept.append(entry)
    }
  }

  private mutating func halve() {
    kept.sort()
    horizon = kept[capacity / 2]
    kept.removeSubrange((capacity / 2)...)
  }

  /// What was kept, in order.
  mutating func sorted() -> [StaleEntry] {
    kept.sort()
    return kept
  }
}
