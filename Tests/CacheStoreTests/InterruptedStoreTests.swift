import CacheModel
import Foundation
import TestSupport
import Testing

@testable import CacheStore

/// A replacement that wrote its records and died before its rename.
@Suite("After an interrupted store")
struct InterruptedStoreTests {
  let cache: CacheFixture
  let key: CacheKey
  var shard: Shard { key.name.shard }

  init() throws {
    cache = try CacheFixture()
    key = try CacheKey("https://img.example/a.jpg")
  }

  /// Puts a cache into the state that `put` leaves when it dies right before the rename.
  func interrupt(old: String, new: String) throws {
    try cache.put(key, old, etag: "\"old\"")
    let saved = cache.folder.appending("old")
    try FileManager.default.copyItem(atPath: cache.object(key), toPath: saved)
    try cache.put(key, new, etag: "\"new\"")
    #expect(rename(saved, cache.object(key)) == 0)
    try write(Array((String(repeating: "0", count: 20) + "\n").utf8), to: cache.lock(shard))
  }

  func expectOld(_ state: Inspection.State, _ length: Int64) throws {
    let found = try cache.store.inspect(key.name, now: .now)
    #expect(found.state == state)
    #expect(found.record?.bytes == length)
  }

  @Test("settling appends both records of the image that is there", arguments: ["longer", "new"])
  func settled(new: String) throws {
    try interrupt(old: "old", new: new)
    #expect(try cache.store.inspect(key.name, now: .now).state == .interrupted)
    #expect(try cache.store.settle(shard, now: .now))
    try expectOld(.sound, 3)
    let origin = try #require(try cache.store.origin(of: key.name))
    #expect(origin.etag == "\"old\"")
    #expect(try origin.hash == cache.store.record(of: key.name)?.hash)
    #expect(try cache.isWitnessed(shard))
    _ = try cache.store.compact(shard)
    try expectOld(.sound, 3)
    #expect(try cache.store.origin(of: key.name)?.etag == "\"old\"")
    #expect(try lines(cache.cost(shard)).count == 1)
  }

  @Test("compaction keeps the records of both images", arguments: ["longer", "new"])
  func compacted(new: String) throws {
    try interrupt(old: "old", new: new)
    for _ in 0..<2 { _ = try cache.store.compact(shard) }
    try expectOld(.interrupted, Int64(new.utf8.count))
    #expect(try lines(cache.cost(shard)).count == 2)
    #expect(try lines(cache.origin(shard)).count == 2)
    #expect(try cache.store.settle(shard, now: .now))
    try expectOld(.sound, 3)
    #expect(try cache.store.origin(of: key.name)?.etag == "\"old\"")
  }

  @Test("a store that reached its end is not taken for an interrupted one")
  func finished() throws {
    try interrupt(old: "old", new: "new")
    try cache.put(key, "third", etag: "\"third\"")
    #expect(try cache.store.settle(shard, now: .now))
    try expectOld(.sound, 5)
    #expect(try cache.store.origin(of: key.name)?.etag == "\"third\"")
  }

  @Test("a new entry that never came is ended in both manifests")
  func newEntry() throws {
    try cache.put(key, "body")
    try FileManager.default.removeItem(atPath: cache.object(key))
    #expect(try cache.store.settle(shard, now: .now))
    #expect(try cache.store.record(of: key.name) == nil)
    #expect(try cache.store.origin(of: key.name) == nil)
    #expect(try cache.isWitnessed(shard))
  }

  @Test("an object that no record speaks of stays damaged, and is looked at again each time")
  func damaged() throws {
    try interrupt(old: "old", new: "new")
    try write(Array("xyz".utf8), to: cache.object(key))
    #expect(try !cache.store.settle(shard, now: .now))
    _ = try cache.store.compact(shard)
    #expect(try cache.store.inspect(key.name, now: .now).state == .damaged)
    #expect(try !cache.isWitnessed(shard))
  }

  @Test("a replacement beside a foreign change is told from a finished one by its place")
  func besideForeignChange() throws {
    let others = try keys(in: shard, 3)
    for other in others { for body in ["old", "new"] { try cache.put(other, body) } }
    // A foreign change, and then a store that dies: its witness was not its own to clear.
    try FileManager.default.removeItem(atPath: cache.object(others[0]))
    let witness = try bytes(cache.lock(shard))
    try interrupt(old: "old", new: "new")
    try write(witness, to: cache.lock(shard))
    #expect(try cache.store.settle(shard, now: .now))
    try expectOld(.sound, 3)
    #expect(try cache.text(others[1], check: .content) == "new")
    #expect(try cache.isWitnessed(shard))
  }
}
