internal import Glibc
internal import Synchronization

/// Runs what waits for a disk on threads of its own: the threads that tasks run on are as few as the
/// processors.
final class Errands: Sendable {
  typealias Errand = @Sendable () -> Void

  private struct State {
    var waiting: [Errand] = []
    var threads = 0
    /// Threads that rest and that no errand has been meant for yet.
    var resting = 0
  }

  private let state = Mutex(State())
  private let most: Int
  /// Rung once for each thread that is to go on.
  private nonisolated(unsafe) let bell = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init(most: Int) {
    self.most = most
    sem_init(bell, 0, 0)
  }

  deinit {
    sem_destroy(bell)
    bell.deallocate()
  }

  /// Runs an errand soon.
  func run(_ errand: @escaping Errand) {
    enum Need { case thread, bell, nothing }
    let need = state.withLock { state -> Need in
      state.waiting.append(errand)
      if state.resting > 0 {
        state.resting -= 1
        return .bell
      }
      guard state.threads < most else { return .nothing }
      state.threads += 1
      return .thread
    }
    switch need {
    case .nothing: break
    case .bell: sem_post(bell)
    case .thread:
      if startThread({ self.work() }) { return }
      // Without a thread the caller does the work itself.
      while let errand = next(orElse: { $0.threads -= 1 }) { errand() }
    }
  }

  private func work() {
    repeat {
      while let errand = next(orElse: { $0.resting += 1 }) { errand() }
    } while waits()
  }

  private func next(orElse rest: (inout State) -> Void) -> Errand? {
    state.withLock { state in
      if state.waiting.isEmpty {
        rest(&state)
        return nil
      }
      return state.waiting.removeFirst()
    }
  }

  /// Rests until the bell rings; false where that does not come in a second, and the thread ends: one that
  /// rests is woken in a fraction of the time that starting one takes.
  private func waits() -> Bool {
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    end.tv_sec += 1
    while sem_timedwait(bell, &end) != 0 {
      if errno == EINTR { continue }
      let ends = state.withLock { state in
        // None rests unmeant: the bell rings for this one just now.
        if state.resting == 0 { return false }
        state.resting -= 1
        state.threads -= 1
        return true
      }
      if ends { return false }
      end.tv_sec += 1
    }
    return true
  }
}

/// Runs `body` on a new thread; false where there can be no more.
func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  final class Job: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  let job = Unmanaged.passRetained(Job(body))
  var thread = pthread_t()
  let error = pthread_create(
    &thread, nil,
    { context in
      guard let context else { return nil }
      Unmanaged<Job>.fromOpaque(context).takeRetainedValue().body()
      return nil
    }, job.toOpaque())
  guard error == 0 else {
    job.release()
    return false
  }
  pthread_detach(thread)
  return true
}
