internal import Glibc
internal import Synchronization

/// Runs `body` on several threads of its own until all have returned.
///
/// System calls that wait for a disk are what these threads do: a pool that counts cores would leave
/// the disk idle.
func onThreads(_ count: Int, _ body: @Sendable @escaping (_ index: Int) -> Void) {
  if count <= 1 { return body(0) }
  let threads = (0..<count).compactMap { Thread(index: $0, body) }
  // Without any thread the work is still done.
  if threads.isEmpty { body(0) }
  for thread in threads { thread.join() }
}

/// Lets the threads of other programs go first on the processors, for the rest of the calling
/// thread's life (setpriority(2)): nice(1)'s own step of 10.
///
/// Who reads images meanwhile should not wait for those that nobody wants.
func stepBack() {
  // The kernel takes 0 for the calling thread. Who may not, goes on as before.
  _ = setpriority(__priority_which_t(0), 0, getpriority(__priority_which_t(0), 0) + 10)
}

private struct Thread {
  private let handle: pthread_t

  private final class Job: Sendable {
    let index: Int
    let body: @Sendable (Int) -> Void
    init(_ index: Int, _ body: @Sendable @escaping (Int) -> Void) {
      self.index = index
      self.body = body
    }
  }

  init?(index: Int, _ body: @Sendable @escaping (Int) -> Void) {
    let job = Unmanaged.passRetained(Job(index, body))
    var handle = pthread_t()
    let error = pthread_create(
      &handle, nil,
      { context in
        guard let context else { return nil }
        let job = Unmanaged<Job>.fromOpaque(context).takeRetainedValue()
        job.body(job.index)
        return nil
      }, job.toOpaque())
    if error != 0 {
      job.release()
      return nil
    }
    self.handle = handle
  }

  func join() { pthread_join(handle, nil) }
}

/// How many processors the process may use.
let processorCount = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

/// Hands out 0 ..< `count`, each number once, to whichever thread asks next.
final class WorkQueue: Sendable {
  private let next = Atomic<Int>(0)
  private let count: Int

  init(_ count: Int) { self.count = count }

  func take() -> Int? {
    let taken = next.add(1, ordering: .relaxed).oldValue
    return taken < count ? taken : nil
  }
}
