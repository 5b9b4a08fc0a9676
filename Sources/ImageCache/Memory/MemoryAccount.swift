internal import Glibc

/// What a memory cache holds and may hold, under the lock that changes take turns by.
///
/// It is the system's mutex: a change may take a while, and the thread sanitizer knows it, which the
/// standard library's it does not.
final class MemoryAccount: Sendable {
  struct State: Sendable {
    var limits: MemoryLimits
    var usage = MemoryUsage()
  }

  private nonisolated(unsafe) let lock: UnsafeMutablePointer<pthread_mutex_t>
  private nonisolated(unsafe) var state: State

  init(_ limits: MemoryLimits) {
    state = State(limits: limits)
    lock = .allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body(&state)
  }
}
