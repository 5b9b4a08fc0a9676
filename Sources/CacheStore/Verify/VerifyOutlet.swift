internal import CacheModel
internal import Synchronization

/// Where the slices of a run end: what was suspicious is judged and, where that is wanted, repaired;
/// the results are kept; and the findings leave in the order of the slices, one batch at a time.
final class VerifyOutlet: Sendable {
  private let store: Store
  private let request: VerifyRequest
  private let keeper: ResultKeeper?
  private let found: @Sendable ([Finding]) -> Void
  private let state = Mutex(State())

  private struct State {
    var tally = VerifyTally()
    var repaired = RepairTally()
    /// Findings that wait for those of earlier slices.
    var waiting: [Int: [Finding]] = [:]
    var next = 0
    var waitingCount = 0

    /// The findings that are to leave now.
    mutating func takeNext(atMost most: Int) -> [Finding]? {
      var index = next
      if waiting[index] == nil, waitingCount > most, let first = waiting.keys.min() {
        index = first
      }
      guard let findings = waiting.removeValue(forKey: index) else { return nil }
      if index == next { next += 1 }
      waitingCount -= findings.count
      return findings
    }
  }

  /// Findings that may wait; beyond that they leave out of order.
  private static let mostWaiting = 20_000

  init(
    _ store: Store, _ request: VerifyRequest, _ keeper: ResultKeeper?,
    found: @escaping @Sendable ([Finding]) -> Void
  ) {
    self.store = store
    self.request = request
    self.keeper = keeper
    self.found = found
  }

  /// Takes what came of a slice whose records were read at `start`; nil where it was cut short and
  /// does not count as checked.
  func emit(
    _ order: SliceOrder, _ first: SliceResult, _ start: Instant?,
    _ reader: borrowing ObjectReader
  ) {
    var result = first
    if !first.suspects.isEmpty || first.hasBadLines {
      var look = SecondLook(order.shard, of: store, first, request)
      result = look.judge(with: reader)
    } else {
      result.findings.sort { $0.path < $1.path }
    }
    repair(order.shard, &result)
    if let start { keeper?.keep(order, result, start: start) }
    leave(order, result)
  }

  /// A shard could not be read.
  func emit(failure order: SliceOrder, _ result: SliceResult, _ start: Instant) {
    keeper?.keepFailure(of: order.shard, start: start)
    leave(order, result)
  }

  /// Gives out what still waits, and the numbers.
  func finish(_ result: inout VerifyResult) {
    state.withLock { state in
      for index in state.waiting.keys.sorted() { found(state.waiting[index] ?? []) }
      result.tally.merge(state.tally)
      result.repaired.merge(state.repaired)
    }
  }

  private func repair(_ shard: Shard, _ result: inout SliceResult) {
    let orders = result.repairs.filter { request.wants($0.kind) }
    result.repairs = []
    if orders.isEmpty || request.shouldStop() { return }
    do {
      var repair = try Repair(orders, of: shard, in: store, request)
      for order in orders where !request.shouldStop() { repair.apply(order) }
      result.repaired = repair.finish()
    } catch {
      for order in orders {
        result.repaired.fail("cannot repair \(Layout.object(order.name)): \(error)")
      }
    }
  }

  private func leave(_ order: SliceOrder, _ result: SliceResult) {
    state.withLock { state in
      state.tally.merge(result.tally)
      state.repaired.merge(result.repaired)
      state.waiting[order.index] = result.findings
      state.waitingCount += result.findings.count
      while let next = state.takeNext(atMost: Self.mostWaiting) {
        if !next.isEmpty { found(next) }
      }
    }
  }
}

extension VerifyRequest {
  fileprivate func wants(_ kind: RepairOrder.Kind) -> Bool {
    switch kind {
    case .stray: adoptsStrays
    case .damaged: repair == .quarantine || repair == .delete
    case .interrupted, .missing: repair != .none
    }
  }
}
