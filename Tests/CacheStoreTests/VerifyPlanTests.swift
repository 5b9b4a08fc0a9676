import CacheModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CacheStore

@Suite("Checking a part") struct VerifyPlanTests {
  /// A cache with one-byte entries, and a check of a part of it.
  private func filled(_ count: Int = 2000) throws -> VerifyFixture {
    let cache = try VerifyFixture()
    for index in 0..<count { try cache.put(index, [UInt8(index % 251)]) }
    return cache
  }

  private func check(_ cache: VerifyFixture, _ change: (inout VerifyLimits) -> Void) -> VerifyResult
  {
    var limits = VerifyLimits()
    change(&limits)
    return cache.verify {
      $0.scope = .part(limits)
      $0.keepsResults = true
    }.result
  }

  @Test("ten samples of a tenth check every entry, least recently verified first")
  func samples() throws {
    let cache = try filled()
    var entries: Int64 = 0
    for round in 1...10 {
      usleep(2000)
      let result = check(cache) { $0.share = 100_000 }
      #expect(result.tally.entries >= 200 && result.tally.entries < 220)
      #expect(result.isPartial && result.reachedEnd)
      entries += result.tally.entries
      let coverage = cache.store.coverage(within: .seconds(3600), now: .now)
      #expect(coverage.coveredEntries == min(entries, 2000), "round \(round)")
    }
    let coverage = cache.store.coverage(within: .seconds(3600), now: .now)
    #expect(coverage.share == 1_000_000 && coverage.oldest != nil)
  }

  @Test("a limit of bytes is kept, but for one part at least")
  func bytes() throws {
    let cache = try filled()
    let result = check(cache) { $0.bytes = 300 }
    #expect(result.tally.bytes <= 300 && result.tally.bytes > 250)
    let least = check(cache) { $0.bytes = 0 }
    #expect(least.tally.entries > 0)
  }

  @Test("a promise alone checks what it takes to keep it, and then nothing")
  func promise() throws {
    let cache = try filled()
    let promise = CoveragePromise(share: 500_000, window: .seconds(3600))
    let first = check(cache) { $0.promise = promise }
    #expect(first.tally.entries >= 1000 && first.tally.entries < 1050)
    let again = check(cache) { $0.promise = promise }
    #expect(again.tally.entries == 0)
  }

  @Test("no time at all begins nothing")
  func noTime() throws {
    let cache = try filled()
    let result = check(cache) { $0.duration = .zero }
    #expect(result.tally.entries == 0 && !result.reachedEnd)
  }

  @Test("what was stored after a check is not covered by it")
  func newer() throws {
    let cache = try filled(100)
    _ = cache.verify { $0.keepsResults = true }
    #expect(cache.store.coverage(within: .seconds(60), now: .now).share == 1_000_000)
    usleep(3000)
    try cache.put(7, [9, 9, 9])
    let coverage = cache.store.coverage(within: .seconds(60), now: .now)
    #expect(coverage.entries - coverage.coveredEntries == 1)
  }

  @Test("what failed last time is checked again alone, until it is mended")
  func onlyFailed() throws {
    let cache = try filled(500)
    let name = try cache.put(3, [1, 2, 3])
    try FileBytes(path: cache.path(name)).change { $0[1] ^= 1 }
    _ = cache.verify { $0.keepsResults = true }
    func failed() -> (findings: [Finding], result: VerifyResult) {
      cache.verify {
        $0.scope = .failed
        $0.keepsResults = true
      }
    }
    #expect(failed().findings.map(\.name) == [name])
    #expect(failed().result.tally.entries == 1)
    try FileBytes(path: cache.path(name)).change { $0[1] ^= 1 }
    #expect(failed().findings == [])
    #expect(failed().result.tally.entries == 0)
  }

  @Test("a full check forgets failures that are mended, and keeps the others")
  func forgets() throws {
    let cache = try filled(100)
    let names = try (0..<2).map { try cache.put($0, [1, 2, 3]) }
    for name in names { try FileBytes(path: cache.path(name)).change { $0[1] ^= 1 } }
    _ = cache.verify { $0.keepsResults = true }
    try FileBytes(path: cache.path(names[0])).change { $0[1] ^= 1 }
    usleep(2000)
    _ = cache.verify { $0.keepsResults = true }
    #expect(FailureLog.read(cache.store, VerifiedTimes(of: cache.store)).map(\.name) == [names[1]])
  }

  @Test("damaged state counts as never verified, part by part")
  func damagedState() throws {
    let cache = try filled(100)
    _ = cache.verify { $0.keepsResults = true }
    try FileBytes(path: cache.root + "/state/verified").change { $0[0] = 0x78 }
    let times = VerifiedTimes(of: cache.store)
    #expect(times[Shard(0), 5] == 0 && times[Shard(1), 5] > 0)
    unlink(cache.root + "/state/verified")
    #expect(VerifiedTimes(of: cache.store) == VerifiedTimes())
  }

  @Test("the state of a check is small whatever the cache holds")
  func bounded() throws {
    let cache = try filled(100)
    _ = cache.verify { $0.keepsResults = true }
    #expect(try FileBytes(path: cache.root + "/state/verified").read().count == 256 * 227)
    #expect(try FileBytes(path: cache.root + "/state/failed.jsonl").read().isEmpty)
  }

  @Test("a run that is stopped keeps what it finished, and says that it did not reach its end")
  func stopped() throws {
    let cache = try filled(3000)
    let result = cache.verify {
      $0.keepsResults = true
      $0.jobs = 1
      let count = Countdown(40)
      $0.shouldStop = { count.isOver() }
    }.result
    #expect(!result.reachedEnd)
    #expect(result.tally.entries > 0 && result.tally.entries < 3000)
    let coverage = cache.store.coverage(within: .seconds(60), now: .now)
    #expect(coverage.coveredEntries <= result.tally.entries && coverage.coveredEntries > 0)
  }
}

/// Says yes after so many questions.
private final class Countdown: Sendable {
  private let left: Mutex<Int>
  init(_ count: Int) { left = Mutex(count) }
  func isOver() -> Bool {
    left.withLock {
      $0 -= 1
      return $0 < 0
    }
  }
}
