import CacheModel
import Foundation
import TestSupport
import Testing

@testable import CacheStore

@Suite("Torn and damaged lines")
struct DamagedLineTests {
  let cache: CacheFixture
  let shard = Shard(0x3f)
  let keys: [CacheKey]

  init() throws {
    cache = try CacheFixture()
    keys = try CacheStoreTests.keys(in: shard, 4)
  }

  func census() throws -> Census { try cache.store.scan(ScanRequest(now: .now)) { _, _ in } }

  @Test("a line torn at any byte harms itself alone", arguments: ["cost.jsonl", "etag.jsonl"])
  func torn(file: String) throws {
    try cache.put(keys[0], "one")
    let path = cache.path("manifests/3f/\(file)")
    let first = try bytes(path)
    try cache.put(keys[1], "second")
    let whole = try bytes(path)
    for length in first.count...whole.count {
      try write(Array(whole[..<length]), to: path)
      try cache.put(keys[2], "the third")
      #expect(try lines(path).first.map { $0.utf8.count + 1 } == first.count)
      #expect(try recorded(file, keys[0]), "cut at \(length)")
      #expect(try recorded(file, keys[2]), "cut at \(length)")
      // Only the newline is missing from a line that is whole all the same.
      #expect(try recorded(file, keys[1]) == (length >= whole.count - 1), "cut at \(length)")
    }
  }

  func recorded(_ file: String, _ key: CacheKey) throws -> Bool {
    file == "cost.jsonl"
      ? try cache.store.record(of: key.name) != nil
      : try cache.store.origin(of: key.name)?.key == key
  }

  @Test("damaged lines are counted, named by file and line, and cost no other line")
  func counted() throws {
    for key in keys { try cache.put(key, "body") }
    var text = try lines(cache.cost(shard))
    text[1] = text[1].replacingOccurrences(of: "\"bytes\":4", with: "\"bytes\":5")
    text[2] = "half a li"
    try write(Array((text.joined(separator: "\n") + "\n").utf8), to: cache.cost(shard))
    let census = try census()
    #expect(census.damagedLines == 2)
    #expect(
      census.problems.filter { $0.kind == .damagedLine }.map(\.path)
        == ["manifests/3f/cost.jsonl:2", "manifests/3f/cost.jsonl:3"])
    // Two entries of which the records are gone count all the same: 4 of 4 bytes each.
    #expect(census.strays == 2 && census.usage.entries == 4 && census.usage.bytes == 16)
    #expect(try cache.store.record(of: keys[0].name)?.bytes == 4)
    #expect(try cache.store.record(of: keys[3].name)?.bytes == 4)
  }

  @Test("a line that is just being written is no damage")
  func onItsWay() throws {
    try cache.put(keys[0], "body")
    let line = try contents(cache.cost(shard))
    let (path, half) = (cache.cost(shard), line.prefix(line.count / 2))
    try append(String(half), to: path)
    let writer = Thread {
      usleep(4000)
      let file = FileHandle(forWritingAtPath: path)
      file?.seekToEndOfFile()
      file?.write(Data(line.dropFirst(half.count).utf8))
    }
    writer.start()
    #expect(try census().damagedLines == 0)
    try append(String(half), to: path)
    #expect(try census().damagedLines == 1)
  }

  @Test("an object whose record is damaged is not lost behind a witness that holds")
  func unseen() throws {
    try cache.put(keys[0], "body")
    try cache.put(keys[1], "body")
    var text = try bytes(cache.cost(shard))
    text[20] ^= 1
    try write(text, to: cache.cost(shard))
    #expect(try cache.isWitnessed(shard))
    for _ in 0..<3 {
      _ = try cache.store.compact(shard)
      try cache.store.settle(shard, now: .now)
      let census = try census()
      #expect(census.usage.entries == 2 && census.strays == 1 && census.damagedLines == 0)
    }
  }

  @Test("settling takes damaged lines out and sets the witness in the same run")
  func settled() throws {
    try cache.put(keys[0], "body")
    try append("{\"name\":\"torn", to: cache.cost(shard))
    #expect(try cache.store.settle(shard, now: .now))
    #expect(try cache.isWitnessed(shard))
    #expect(try census().damagedLines == 0)
    #expect(try cache.store.record(of: keys[0].name)?.bytes == 4)
  }

  @Test("millions of damaged lines are counted in bounded memory")
  func many() throws {
    try cache.put(keys[0], "body")
    try append(String(repeating: "\n", count: 2_000_000), to: cache.cost(shard))
    try cache.put(keys[1], "body")
    let census = try census()
    #expect(census.damagedLines == 2_000_000 && census.records == 2)
    #expect(census.problems.count == Census.mostProblems)
    #expect(census.furtherProblems == 2_000_000 - Int64(Census.mostProblems))
  }

  @Test("a key in etag.jsonl that is not the name's makes the line damaged")
  func foreignKey() throws {
    try cache.put(keys[0], "body", etag: "\"mine\"")
    let text = try contents(cache.origin(shard))
    let forged = text.replacingOccurrences(of: keys[0].text, with: keys[1].text)
      .replacingOccurrences(of: #","sum":"[0-9a-f]{16}""#, with: "", options: .regularExpression)
      .replacingOccurrences(of: "mine", with: "theirs")
    try append(forged, to: cache.origin(shard))
    let origin = try #require(try cache.store.origin(of: keys[0].name))
    #expect(origin.key == keys[0] && origin.etag == "\"mine\"")
    #expect(try cache.store.origin(of: keys[1].name) == nil)
  }
}
