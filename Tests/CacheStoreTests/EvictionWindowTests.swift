import CacheModel
import CachePlan
import Foundation
import TestSupport
import Testing

@testable import CacheStore

/// Memory for 40 candidates, as a cache of many millions has it for some hundred thousand.
@Suite("Eviction in several windows, on a real cache")
struct EvictionWindowTests {
  let cache: CacheFixture
  private let count = 300

  /// Entries of which every seventh was used since its record was written, all witnesses right.
  init() throws {
    cache = try CacheFixture()
    for number in 0..<count {
      var request = StoreRequest(key: try key(number))
      request.lastUse = Instant(milliseconds: 1_700_000_000_000 + Int64(number) * 1000)
      try cache.store.put([1, 2, 3], request, now: cache.now)
      if number % 7 == 0 { cache.store.touch(request.key, now: .now) }
    }
    for shard in Shard.all { try cache.store.settle(shard, now: .now) }
  }

  private func key(_ number: Int) throws -> CacheKey {
    try CacheKey("https://img.example/\(number).png")
  }

  private func present() throws -> [Int] {
    try (0..<count).filter { try exists(cache.object(key($0))) }
  }

  @Test(
    "exactly the least recently used go; what others changed is settled once, before the second",
    arguments: [false, true])
  func windows(isChangedByOthers: Bool) throws {
    if isChangedByOthers {
      // Not within one tick of the kernel's clock.
      usleep(11_000)
      for number in 290..<300 where number % 7 != 0 { unlink(try cache.object(key(number))) }
    }
    let before = try present()
    var budget = Budget()
    budget.maxCount = 100
    let store = cache.store
    let now = Instant.now
    var settled: [[Shard]] = []
    var windows = 0
    let result = try Eviction(
      of: store, to: budget, room: store.fileSystem(), ScanRequest(now: now), capacity: 40
    ).run(settle: { shards in
      settled.append(shards)
      #expect(store.settle(shards, now: now, unless: { false }).isEmpty)
    }) { victims, cutoffs in
      windows += 1
      return store.evict(victims, EvictionOrders(now: now, why: cutoffs.limit))
    }
    #expect(result.remaining.isMet && windows > 3)
    #expect(settled.count == (isChangedByOthers ? 1 : 0))
    let byAge = before.sorted { ($0 % 7 == 0 ? 1 : 0, $0) < ($1 % 7 == 0 ? 1 : 0, $1) }
    #expect(try present() == byAge.suffix(100).sorted())
    let census = try store.scan(ScanRequest(now: .now)) { _, _ in }
    #expect(census.listed.isEmpty && census.usage.entries == 100)
  }
}
