import CacheModel
import Foundation
import TestSupport
import Testing

@testable import CacheStore

@Suite("Compaction")
struct CompactionTests {
  let cache: CacheFixture
  let shard = Shard(0x3f)
  let keys: [CacheKey]

  init() throws {
    cache = try CacheFixture()
    keys = try CacheStoreTests.keys(in: shard, 4)
  }

  /// Sets an object's last use to what its record says, so that compaction learns nothing.
  func age(_ key: CacheKey) throws {
    try Command("touch", ["-d", "@1764480000.123", cache.object(key)]).succeed()
  }

  @Test("dead lines go, live ones stay as they are and in their order")
  func deadLines() throws {
    for key in keys { try cache.put(key, "old", etag: "\"old\"") }
    for key in keys.prefix(2) { try cache.put(key, "new!", etag: "\"new\"") }
    try cache.store.remove(keys[2].name, now: cache.now)
    for key in [keys[0], keys[1], keys[3]] { try age(key) }
    let cost = try lines(cache.cost(shard))
    let origin = try lines(cache.origin(shard))
    let result = try cache.store.compact(shard)
    #expect(try lines(cache.cost(shard)) == [cost[3], cost[4], cost[5]])
    #expect(try lines(cache.origin(shard)) == [origin[3], origin[4], origin[5]])
    #expect(result.linesBefore == 14 && result.linesAfter == 6)
    #expect(try cache.store.settle(shard, now: .now) && cache.isWitnessed(shard))
    let again = try cache.store.compact(shard)
    #expect(again.linesBefore == 6 && again.bytesBefore == again.bytesAfter)
  }

  @Test("the last uses that objects tell are written down, be the line as long as before")
  func learns() throws {
    let record = try cache.put(keys[0], "body")
    try Command("touch", ["-d", "@1764480777.5", cache.object(keys[0])]).succeed()
    _ = try cache.store.compact(shard)
    var expected = record
    expected.used = Instant(milliseconds: 1_764_480_777_500)
    #expect(try cache.store.record(of: keys[0].name) == expected)
  }

  @Test("members that this version does not know stay, byte for byte")
  func unknownMembers() throws {
    for key in keys.prefix(2) { try cache.put(key, "body") }
    let cost = #"{"later":{"a":[1.50,null]},"name":"\#(keys[0].name)","bytes":4,"b":1e3}"#
    let origin = #"{"name":"\#(keys[0].name)","key":"\#(keys[0].text)","new" : "\u00e9"}"#
    try append(cost + "\n", to: cache.cost(shard))
    try append(origin + "\n", to: cache.origin(shard))
    _ = try cache.store.compact(shard)
    #expect(try lines(cache.cost(shard)).last == cost)
    #expect(try lines(cache.origin(shard)).last == origin)
    // The earlier record stays too: nothing tells which of the two is the object's.
    #expect(try lines(cache.cost(shard)).count == 3)
  }

  @Test("records of missing objects go, those of strays stay in etag.jsonl")
  func missing() throws {
    for key in keys { try cache.put(key, "body") }
    try FileManager.default.removeItem(atPath: cache.object(keys[0]))
    let cost = try lines(cache.cost(shard)).dropLast()
    try write(Array((cost.joined(separator: "\n") + "\n").utf8), to: cache.cost(shard))
    _ = try cache.store.compact(shard)
    #expect(try cache.store.record(of: keys[0].name) == nil)
    #expect(try cache.store.origin(of: keys[0].name) == nil)
    #expect(try cache.store.origin(of: keys[3].name)?.key == keys[3])
    #expect(try !cache.isWitnessed(shard))
  }

  @Test("a rewritten manifest keeps mode and owner")
  func ownership() throws {
    for _ in 0..<2 { try cache.put(keys[0], "body") }
    for path in [cache.cost(shard), cache.origin(shard)] {
      chmod(path, 0o646)
      chown(path, geteuid() == 0 ? 4711 : geteuid(), getegid())
    }
    let before = try FileFacts(cache.cost(shard))
    _ = try cache.store.compact(shard)
    for path in [cache.cost(shard), cache.origin(shard)] {
      let after = try FileFacts(path)
      #expect(after.mode == 0o646 && after.owner == before.owner && after.group == before.group)
      #expect(try lines(path).count == 1)
    }
    #expect(try FileFacts(cache.cost(shard)).inode != before.inode)
  }

  @Test("nothing is written to a shard that has nothing to compact")
  func untouched() throws {
    try cache.put(keys[0], "body")
    try age(keys[0])
    let before = try TreeSnapshot(cache.path("manifests"))
    for shard in Shard.all { _ = try cache.store.compact(shard) }
    #expect(try TreeSnapshot(cache.path("manifests")) == before)
    #expect(try names(cache.path("tmp")) == [])
  }
}
