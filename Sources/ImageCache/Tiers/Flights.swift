internal import CacheModel
internal import Synchronization

/// Who waits for which image: all that want the same one wait for the same answer, but for those who want
/// it after this process has changed it.
final class Flights: Sendable {
  typealias Answer = Result<CachedImage, ImageFailure>
  private typealias Waiter = CheckedContinuation<Answer, Never>

  private struct Flight: Hashable {
    let key: CacheKey
    let change: UInt64

    init(_ wanted: WantedKey) {
      key = wanted.key
      change = wanted.change
    }
  }

  private struct State {
    var waiting: [Flight: [Int: Waiter]] = [:]
    /// Whoever was cancelled before it waited.
    var cancelled: Set<Int> = []
    var last = 0
  }

  private let state = Mutex(State())

  /// Waits for the answer; the first that waits for a key calls `begin`.
  func answer(_ wanted: WantedKey, _ begin: () -> Void) async -> Answer {
    let flight = Flight(wanted)
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    // Cancelled when its answer had come already.
    defer { state.withLock { _ = $0.cancelled.remove(number) } }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        switch join(flight, number, waiter) {
        case .first: begin()
        case .other: break
        case .cancelled: waiter.resume(returning: .failure(.cancelled))
        }
      }
    } onCancel: {
      cancel(flight, number)
    }
  }

  private enum Place { case first, other, cancelled }

  private func join(_ flight: Flight, _ number: Int, _ waiter: Waiter) -> Place {
    state.withLock { state in
      if state.cancelled.remove(number) != nil { return .cancelled }
      let isFirst = state.waiting[flight] == nil
      state.waiting[flight, default: [:]][number] = waiter
      return isFirst ? .first : .other
    }
  }

  private func cancel(_ flight: Flight, _ number: Int) {
    let waiter = state.withLock { state -> Waiter? in
      // The flight stays: what was begun goes on, and others may still join.
      if let waiter = state.waiting[flight]?.removeValue(forKey: number) { return waiter }
      state.cancelled.insert(number)
      return nil
    }
    waiter?.resume(returning: .failure(.cancelled))
  }

  /// Gives the answer to all that wait for it.
  func land(_ wanted: WantedKey, _ answer: Answer) {
    let waiters = state.withLock { $0.waiting.removeValue(forKey: Flight(wanted)) }
    for waiter in waiters?.values ?? [:].values { waiter.resume(returning: answer) }
  }
}
