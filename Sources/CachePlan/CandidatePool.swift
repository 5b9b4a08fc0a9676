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

  init(capacity: Int) { self.capacity = capacity }

  mutating func offer(_ candidate: Candidate) {
    if let horizon, horizon <= candidate.key { return }
    if kept.count == capacity { halve() }
    if let horizon, horizon <= candidate.key { return }
    kept.append(candidate)
  }

  /// Gives up the half that goes last.
  private mutating func halve() {
    let half = kept.count / 2
    kept.withUnsafeMutableBufferPointer { $0.partition(smallest: half) }
    cut(behind: half)
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
