import Glibc
import Synchronization
import TestSupport
import Testing

@testable import ImageCache

@Suite("Errands")
struct ErrandsTests {
  @Test("one after the other, they find a thread that rests")
  func reuse() async {
    let errands = Errands(most: 4)
    var threads: Set<UInt> = []
    for _ in 0..<200 {
      threads.insert(
        await withCheckedContinuation { waiter in
          errands.run { waiter.resume(returning: UInt(pthread_self())) }
        })
    }
    // One may be given while the thread of the last is on its way to its rest, or after it ended.
    #expect(threads.count < 20)
  }

  @Test("all at once, every one is run, on no more threads than there may be")
  func bound() async {
    let errands = Errands(most: 3)
    let running = Count()
    let most = Count()
    await withTaskGroup { group in
      for _ in 0..<500 {
        group.addTask {
          await withCheckedContinuation { waiter in
            errands.run {
              let now = running.number.add(1, ordering: .relaxed).newValue
              _ = most.number.max(now, ordering: .relaxed)
              usleep(100)
              running.number.subtract(1, ordering: .relaxed)
              waiter.resume()
            }
          }
        }
      }
    }
    #expect(most.number.load(ordering: .relaxed) <= 3)
  }

  private final class Count: Sendable {
    let number = Atomic<Int>(0)
  }

  @Test("threads that rest end, and with them what they hold")
  func end() async throws {
    var errands: Errands? = Errands(most: 2)
    weak let held = errands
    await withCheckedContinuation { waiter in errands?.run { waiter.resume() } }
    errands = nil
    for _ in 0..<100 where held != nil { try await Task.sleep(for: .milliseconds(100)) }
    #expect(held == nil)
  }
}
