internal import CacheModel

/// The candidates that go first, as many as memory allows.
///
/// Whatever is offered and not kept lies at or behind ``horizon``: the pool is exact before it and
/// says nothing behind it.
struct CandidatePool {
  /// Kept candidates, in no order.
  private(set) var kept: [Candidate] = []
  /// The first place that is not covered; nil while everything offered was kept.
  private(set) var horizon: Candidate.Key?
  private let capacity: Int

  /// How many are likely to be wanted: making room leaves these, where it can.
  var wanted = 0

  init(capacity: Int) {
    self.capacity = capacity
    // Address space until it is used; growing would copy, and need twice the memory meanwhile.
    kept.reserveCapacity(capacity)
  }

  mutating func offer(_ candidate: Candidate) {
    if let horizon, horizon <= candidate.key { return }
    if kept.count == capacity { makeRoom() }
    if let horizon, horizon <= candidate.key { return }
    kept.append(candidate)
  }

  /// Gives up those that go last: half of them, or fewer where more are wanted.
  private mutating func makeRoom() {
    let count = max(kept.count / 2, min(wanted, kept.count / 16 * 15))
    kept.withUnsafeMutableBufferPointer { $0.partition(smallest: count) }
    cut(behind: count)
  }

  /// Keeps the first `count` of a pool whose smallest `count` lie in front.
  private mutating func cut(behind count: Int) {
    guard count < kept.count else { return }
    horizon = kept[count...].lazy.map(\.key).min()
    kept.removeSubrange(count...)
  }

  /// Keeps only the smallest `count`.
  mutating func tighten(to count: Int) {
    guard count < kept.count else { return }
    kept.withUnsafeMutableBufferPointer { $0.partition(smallest: count) }
    cut(behind: count)
  }

  /// Lets `body` reorder and change the candidates; those it leaves beyond its result are let go.
  mutating func update(_ body: (UnsafeMutableBufferPointer<Candidate>) -> Int) {
    let count = kept.withUnsafeMutableBufferPointer { body($0) }
    kept.removeSubrange(count...)
  }
}
