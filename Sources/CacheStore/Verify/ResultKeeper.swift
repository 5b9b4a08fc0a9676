internal import CacheModel
internal import Glibc
internal import Synchronization

/// Keeps the results of a run in state/ as they come.
final class ResultKeeper: Sendable {
  private let store: Store
  private let state: Mutex<State>
  private let file: OpenFile

  private struct State {
    var times: VerifiedTimes
    var trouble: String?
    var isLogFull = false
  }

  /// - Throws: the reason why results cannot be kept: a read-only mount, a missing right.
  init(of store: Store, _ times: VerifiedTimes) throws(Errno) {
    self.store = store
    state = Mutex(State(times: times))
    file = try store.root.openOrMake(VerifiedTimes.path, O_RDWR, ownership: store.ownership)
    if try file.status().size == 0 { try times.writeAll(to: file) }
  }

  /// Why something could not be kept, where that happened.
  var trouble: String? { state.withLock { $0.trouble } }

  /// The times as they are by now.
  var times: VerifiedTimes { state.withLock { $0.times } }

  /// Notes what came of a slice whose records were read at `start`.
  func keep(_ order: SliceOrder, _ result: SliceResult, start: Instant) {
    let at = start.milliseconds
    var failed = result.findings.compactMap { FailureLog.Line($0, at: at) }
    state.withLock { state in
      do {
        switch order.filter {
        case .units(let mask):
          for unit in mask.units { state.times[order.shard, unit] = at }
          try state.times.write(order.shard, to: file)
        case .names(let names): failed += passed(names, failed, at)
        }
        if !failed.isEmpty, !state.isLogFull {
          state.isLogFull = try !FailureLog.append(failed, to: store)
        }
      } catch { state.trouble = state.trouble ?? "\(error)" }
    }
  }

  /// A shard could not be read: its entries stay as long unverified as they are.
  func keepFailure(of shard: Shard, start: Instant) {
    let name = EntryName(words: (UInt64(shard.number) << 56, 0, 0, 0))
    let line = FailureLog.Line(
      name: name, isWholeShard: true, kind: .unreadable, at: start.milliseconds)
    state.withLock { state in
      do { _ = try FailureLog.append([line], to: store) } catch {
        state.trouble = state.trouble ?? "\(error)"
      }
    }
  }

  private func passed(
    _ names: Set<EntryName>, _ failed: [FailureLog.Line], _ at: Int64
  ) -> [FailureLog.Line] {
    names.subtracting(failed.map(\.name)).sorted()
      .map { FailureLog.Line(name: $0, kind: nil, at: at) }
  }

  /// Drops the lines that no longer hold.
  func finish() {
    let times = times
    let kept = FailureLog.read(store, times)
    // History is worth less than the run that makes it.
    try? FailureLog.replace(by: kept, in: store)
  }
}

extension FailureLog.Line {
  /// What of a finding is worth checking again.
  fileprivate init?(_ finding: Finding, at: Int64) {
    guard let name = finding.name, finding.kind.isFailure || finding.kind == .unreadable else {
      return nil
    }
    self.init(name: name, kind: finding.kind, at: at)
  }
}
