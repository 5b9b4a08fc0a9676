internal import Glibc
internal import Synchronization

/// Runs what waits for a disk on threads of its own: the threads that tasks run on are as few as the
/// processors.
final class Errands: Sendable {
  typealias Errand = @Sendable () -> Void

  private struct State {
    var waiting: [Errand] = []
    var threads = 0
  }

  private let state = Mutex(State())
  private let most: Int

  init(most: Int) { self.most = most }

  /// Runs an errand soon.
  ///
  /// A thread ends when nothing waits: starting one costs less than a file.
  func run(_ errand: @escaping Errand) {
    let isThreadDue = state.withLock { state in
      state.waiting.append(errand)
      guard state.threads < most else { return false }
      state.threads += 1
      return true
    }
    // Without a thread the caller does the work itself.
    if isThreadDue, !startThread({ self.work() }) { work() }
  }

  private func work() {
    while let errand = next() { errand() }
  }

  private func next() -> Errand? {
    state.withLock { state in
      if state.waiting.isEmpty {
        state.threads -= 1
        return nil
      }
      return state.waiting.removeFirst()
    }
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
