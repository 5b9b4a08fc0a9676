internal import Glibc
internal import Synchronization

/// Keeps removals to so many a second, however many threads remove.
final class Pace: Sendable {
  private let nanosecondsEach: UInt64
  /// When the next removal is due, on the monotonic clock.
  private let due: Atomic<UInt64>

  init(perSecond rate: Int64) {
    nanosecondsEach = 1_000_000_000 / UInt64(max(rate, 1))
    due = Atomic(Self.now())
  }

  private static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Waits until `count` removals are due; returns early once `shouldStop`.
  func wait(for count: Int, unless shouldStop: () -> Bool) {
    let mine = due.add(nanosecondsEach * UInt64(count), ordering: .relaxed).oldValue
    while !shouldStop() {
      let now = Self.now()
      if now >= mine { return }
      usleep(UInt32(min((mine - now) / 1000 + 1, 100_000)))
    }
  }
}
