internal import Glibc
internal import Synchronization

/// Keeps reading to so many bytes a second, however many threads read.
final class ByteRate: Sendable {
  private let bytesPerSecond: Double
  /// When the next byte is due, in nanoseconds on the monotonic clock.
  private let due: Atomic<UInt64>
  private let shouldStop: @Sendable () -> Bool

  init(_ bytesPerSecond: Int64, shouldStop: @escaping @Sendable () -> Bool) {
    self.bytesPerSecond = Double(max(bytesPerSecond, 1))
    self.shouldStop = shouldStop
    due = Atomic(monotonicNanoseconds())
  }

  /// Waits until what was read before has had its time, and asks for `count` bytes more.
  func wait(for count: Int) {
    let cost = UInt64(min(Double(count) / bytesPerSecond * 1e9, 1e18))
    let mine = reserve(cost)
    while !shouldStop() {
      let now = monotonicNanoseconds()
      if now >= mine { return }
      usleep(UInt32(min((mine - now) / 1000 + 1, 100_000)))
    }
  }
}

extension ByteRate {
  /// The time that is due, and `cost` after it for the next one.
  ///
  /// Time in which nothing was read is not saved up: a burst after a pause would be what the limit
  /// is there to prevent.
  private func reserve(_ cost: UInt64) -> UInt64 {
    var seen = due.load(ordering: .relaxed)
    while true {
      let mine = max(seen, monotonicNanoseconds())
      let (isExchanged, current) = due.weakCompareExchange(
        expected: seen, desired: mine + cost, ordering: .relaxed)
      if isExchanged { return mine }
      seen = current
    }
  }
}

/// CLOCK_MONOTONIC.
func monotonicNanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
