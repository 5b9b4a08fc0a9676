internal import CacheModel
internal import Synchronization

/// Who waits for which image: all that want the same one wait for the same answer.
final class Flights: Sendable {
  typealias Answer = Result<CachedImage, ImageFailure>
  private typealias Waiter = CheckedContinuation<Answer, Never>

  private struct State {
    var waiting: [CacheKey: [Int: Waiter]] = [:]
    /// Whoever was cancelled before it waited.
    var cancelled: Set<Int> = []
    var last = 0
  }

  private let state = Mutex(State())

  /// Waits for the answer; the first that waits for a key calls `begin`.
  func answer(_ key: CacheKey, _ begin: () -> Void) async -> Answer {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    // Cancelled when its answer had come already.
    defer { state.withLock { _ = $0.cancelled.remove(number) } }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        switch join(key, number, waiter) {
        case .first: begin()
        case .other: break
        case .cancelled: waiter.resume(returning: .failure(.cancelled))
        }
      }
    } onCancel: {
      cancel(key, number)
    }
  }

  private enum Place { case first, other, cancelled }

  private func join(_ key: CacheKey, _ number: Int, _ waiter: Waiter) -> Place {
    state.withLock { state in
      if state.cancelled.remove(number) != nil { return .cancelled }
      let isFirst = state.waiting[key] == nil
      state.waiting[key, default: [:]][number] = waiter
      return isFirst ? .first : .other
    }
  }

  private func cancel(_ key: CacheKey, _ number: Int) {
    let waiter = state.withLock { state -> Waiter? in
      // The key stays: what was begun goes on, and others may still join.
      if let waiter = state.waiting[key]?.removeValue(forKey: number) { return waiter }
      state.cancelled.insert(number)
      return nil
    }
    waiter?.resume(returning: .failure(.cancelled))
  }

  /// Gives the answer to all that wait for it.
  func land(_ key: CacheKey, _ answer: Answer) {
    let waiters = state.withLock { $0.waiting.removeValue(forKey: key) }
    for waiter in waiters?.values ?? [:].values { waiter.resume(returning: answer) }
  }
}
