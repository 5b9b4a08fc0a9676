import Foundation
import ImageCache
import Synchronization
import TestSupport
import Testing

@Suite("Memory pressure", .timeLimit(.minutes(2)))
struct MemoryPressureTests {
  private static let isTold = FileManager.default.isWritableFile(atPath: "/proc/pressure/memory")
  private static let mayLimit =
    isTold && FileManager.default.fileExists(atPath: "/sys/fs/cgroup/memory/cgroup.procs")

  @Test(
    "a cache is emptied when the kernel tells of stalls for want of memory", .enabled(if: mayLimit))
  func emptied() async throws {
    let (signals, signal) = AsyncStream.makeStream(of: MemoryDeparture.self)
    let cache = MemoryCache<Int, Int>(MemoryLimits(count: 10)) { signal.yield($0.why) }
    cache.insert(1, for: 1, cost: 1)
    let pressure = try #require(
      MemoryPressure(stall: .milliseconds(1)) { cache.removeAll(.pressure) })
    try starve()
    for await why in signals {
      #expect(why == .pressure)
      break
    }
    #expect(cache.usage.count == 0 && cache.usage.cost == 0)
    withExtendedLifetime(pressure) {}
  }

  /// A program that reads and writes more than its control group may hold.
  private func starve() throws {
    let group = "/sys/fs/cgroup/memory/cachectl-test-\(UUID())"
    let directory = try TemporaryDirectory()
    let script = """
      mkdir $0 && echo 20000000 >$0/memory.limit_in_bytes || exit 1
      sh -c 'echo $$ >$0/cgroup.procs
        dd if=/dev/zero of=$1 bs=1M count=200 2>/dev/null; cat $1 >/dev/null; rm $1' "$0" "$1"
      rmdir $0
      """
    try Command("sh", ["-c", script, group, directory.appending("large")]).succeed()
  }

  @Test("a watch that is let go of ends its thread")
  func ends() async {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    var pressure = MemoryPressure { [held = Held(end)] in _ = held }
    #expect((pressure != nil) == Self.isTold)
    pressure = nil
    for await _ in ends { break }
  }

  /// Tells when nobody holds it any more.
  private final class Held: Sendable {
    let end: AsyncStream<Void>.Continuation
    init(_ end: AsyncStream<Void>.Continuation) { self.end = end }
    deinit { end.yield() }
  }
}
