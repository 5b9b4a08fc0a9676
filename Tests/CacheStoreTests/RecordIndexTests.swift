import CacheModel
import Foundation
import SeededRandom
import TestSupport
import Testing

@testable import CacheStore

/// `STORE_CASES=N` makes more of them, `STORE_SEED=N` the same ones again.
@Suite("Looking one entry up")
struct RecordIndexTests {
  private static let environment = ProcessInfo.processInfo.environment
  static let count = environment["STORE_CASES"].flatMap { Int($0) } ?? 40
  static let seed =
    environment["STORE_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000)

  let shard = Shard(0x3f)

  @Test("whatever is done to the manifests, the index tells what reading them whole tells")
  func model() throws {
    print("record index: seed \(Self.seed)")
    var random = SeededNumbers(seed: Self.seed)
    for number in 0..<Self.count {
      var world = try World(shard)
      var steps: [String] = []
      for _ in 0..<40 {
        steps.append(try world.step(&random))
        let difference = try world.difference()
        #expect(difference == nil, "case \(number) of seed \(Self.seed): \(steps)")
        if difference != nil { return }
      }
    }
  }

  @Test("an entry is looked up by its own lines, not by the whole of its shard's")
  func readsLittle() throws {
    let cache = try CacheFixture()
    let all = try keys(in: shard, 200)
    for key in all { try cache.put(key, "body") }
    #expect(try cache.store.record(of: all[0].name) != nil)
    // The index knows where the line stands; it reads no other one.
    let other = try contents(cache.cost(shard)).split(separator: "\n")[100]
    var text = try contents(cache.cost(shard))
    text.replace(other, with: String(repeating: "#", count: other.utf8.count))
    try writeInPlace(text, to: cache.cost(shard))
    #expect(cache.store.askable(all[0].name)?.isValidated == true)
    // A look-up of the one that was lost reads all there is, and says so.
    #expect(try cache.store.record(of: all[100].name) == nil)
  }

  @Test("what shards take in memory stays below the bound, and each goes on answering")
  func bounded() throws {
    let cache = try CacheFixture()
    let some = try (0..<8).flatMap { try keys(in: Shard(UInt8($0)), 100) }
    for key in some { try cache.put(key, "body") }
    let index = RecordIndex(mostBytes: 6000)
    for _ in 0..<3 {
      for key in some {
        let found = try index.cost(of: key.name, in: cache.store)
        #expect(found?.record?.name == key.name)
        #expect(index.bytes <= 6000 + 2 * 2048)
      }
    }
  }
}

/// Writes into the file that is there.
private func writeInPlace(_ text: String, to path: String) throws {
  let file = try #require(FileHandle(forWritingAtPath: path))
  try file.write(contentsOf: Data(text.utf8))
  try file.close()
}

/// One shard that is changed by this library and by others.
private struct World {
  let cache: CacheFixture
  let shard: Shard
  let keys: [CacheKey]
  private var stored = 0
  /// Bytes changed where they lay, which nobody who reads one line can see.
  private var hasFlips = false

  init(_ shard: Shard) throws {
    cache = try CacheFixture()
    self.shard = shard
    keys = try CacheStoreTests.keys(in: shard, 10)
  }

  /// Where looking up by the index and reading the manifests whole differ.
  func difference() throws -> String? {
    for key in keys {
      let name = key.name
      var records = ShardRecords()
      try records.load(shard, of: cache.store, reader: LineReader(), json: JSONReader())
      if try cache.store.record(of: name) != records.record(of: name) { return "cost of \(key)" }
      let origin = try cache.store.origins(
        of: shard, reader: LineReader(), json: JSONReader(), only: { $0 == name })[name]
      if try cache.store.origin(of: name) != origin { return "origin of \(key)" }
      let (one, whole) = (cache.store.askable(name), cache.store.askable([name]).entries[name])
      if one?.cost != whole?.cost || one?.origin != whole?.origin { return "entry of \(key)" }
      if one?.stamp != whole?.stamp { return "stamp of \(key)" }
      if !hasFlips, one?.isValidated != whole?.isValidated { return "validity of \(key)" }
    }
    return nil
  }

  /// Does one thing, and says which.
  mutating func step(_ random: inout SeededNumbers) throws -> String {
    let key = keys.randomElement(using: &random) ?? keys[0]
    let path = Bool.random(using: &random) ? cache.cost(shard) : cache.origin(shard)
    switch Int.random(in: 0..<14, using: &random) {
    case 0...4:
      stored += 1
      try cache.put(key, "body \(stored)", etag: "\"\(stored % 10)\"")
      return "put"
    case 5...6:
      try cache.store.remove(key.name, now: cache.now)
      return "remove"
    case 7:
      _ = try cache.store.compact(shard)
      return "compact"
    case 8:
      let members = path == cache.cost(shard) ? "\"bytes\":7" : "\"key\":\"\(key.text)\""
      try append("{\(members),\"name\":\"\(key.name)\"}\n", to: path)
      return "a foreign line"
    case 9:
      try append(
        ["{\"name\":\"3f", "no line\n", "\n"].randomElement(using: &random) ?? "", to: path)
      return "a damaged line"
    default: return try spoil(path, &random)
    }
  }

  private mutating func spoil(_ path: String, _ random: inout SeededNumbers) throws -> String {
    guard var bytes = try? bytes(path), !bytes.isEmpty else { return "nothing" }
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      truncate(path, off_t(Int.random(in: 0..<bytes.count, using: &random)))
      return "cut short"
    case 1:
      // The last line taken back and one of its length appended, as after a store that failed.
      let lines = bytes.split(separator: 0x0a)
      guard let last = lines.last, let other = lines.first(where: { $0.count == last.count }) else {
        return "nothing"
      }
      truncate(path, off_t(bytes.count - last.count - 1))
      try append(String(decoding: other, as: UTF8.self) + "\n", to: path)
      return "another last line"
    case 2:
      hasFlips = true
      bytes[Int.random(in: bytes.indices, using: &random)] ^= 0x04
      try writeInPlace(String(decoding: bytes, as: UTF8.self), to: path)
      return "a flipped bit"
    case 3:
      try write(bytes, to: path + ".new")
      _ = rename(path + ".new", path)
      return "another file"
    default:
      unlink(path)
      return "no file"
    }
  }

  private func append(_ text: String, to path: String) throws {
    guard let file = FileHandle(forWritingAtPath: path) else { return }
    try file.seekToEnd()
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
  }
}
