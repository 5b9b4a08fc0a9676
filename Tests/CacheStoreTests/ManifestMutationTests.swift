import CacheModel
import Foundation
import SeededRandom
import TestSupport
import Testing

@testable import CacheStore

/// `STORE_MUTATIONS=N` makes more of them, `STORE_SEED=N` the same ones again.
@Suite("Manifests changed at random")
struct ManifestMutationTests {
  private static let environment = ProcessInfo.processInfo.environment
  static let count = environment["STORE_MUTATIONS"].flatMap { Int($0) } ?? 2000
  static let seed =
    environment["STORE_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000)

  let cache: CacheFixture
  let shard = Shard(0x3f)

  init() throws {
    cache = try CacheFixture()
    for (index, key) in try keys(in: shard, 8).enumerated() {
      for version in 0...(index % 3) {
        try cache.put(key, String(repeating: "x", count: version), etag: "\"\(version)\"")
      }
      if index == 5 { try cache.store.remove(key.name, now: cache.now) }
    }
  }

  @Test("cost.jsonl: every line that is whole counts, and nothing else does")
  func cost() throws {
    print("mutations: seed \(Self.seed)")
    let original = try bytes(cache.cost(shard))
    let known = Dictionary(
      uniqueKeysWithValues: Self.split(original).map { ($0, Self.read($0)) })
    var random = SeededNumbers(seed: Self.seed)
    var records = ShardRecords()
    let (reader, json) = (LineReader(), JSONReader())
    for number in 0..<Self.count {
      let text = Self.mutated(original, &random)
      try write(text, to: cache.cost(shard))
      try records.load(shard, of: cache.store, reader: reader, json: json)
      var expected: [EntryName: CostRecord] = [:]
      for line in Self.split(text) {
        switch known[line] ?? Self.readOther(line) {
        case .stored(let record): expected[record.name] = record
        case .removed(let name, _): expected[name] = nil
        case .damaged: break
        }
      }
      let found = records.slots.filter(\.isLive).map(\.record)
      #expect(
        Dictionary(uniqueKeysWithValues: found.map { ($0.name, $0) }) == expected,
        "mutation \(number) of seed \(Self.seed)")
    }
  }

  @Test("etag.jsonl: every line that is whole counts, and nothing else does")
  func origin() throws {
    let original = try bytes(cache.origin(shard))
    let known = Set(Self.split(original))
    var random = SeededNumbers(seed: Self.seed)
    for number in 0..<Self.count {
      let text = Self.mutated(original, &random)
      try write(text, to: cache.origin(shard))
      let found = try cache.store.origins(
        of: shard, reader: LineReader(), json: JSONReader(), only: { _ in true })
      var expected: Set<EntryName> = []
      for line in Self.split(text) where known.contains(line) || Self.isOtherOrigin(line) {
        guard let name = line.withUnsafeBytes({ OriginLine.leadingName(of: $0) }) else { continue }
        if String(decoding: line, as: UTF8.self).contains("\"removed\"") {
          expected.remove(name)
        } else {
          expected.insert(name)
        }
      }
      #expect(Set(found.keys) == expected, "mutation \(number) of seed \(Self.seed)")
    }
  }

  @Test("a manifest cut at every byte keeps every line that is whole")
  func truncated() throws {
    let original = try bytes(cache.cost(shard))
    var records = ShardRecords()
    let (reader, json) = (LineReader(), JSONReader())
    for length in 0...original.count {
      try write(Array(original[..<length]), to: cache.cost(shard))
      try records.load(shard, of: cache.store, reader: reader, json: json)
      let whole = original[..<length].count { $0 == 0x0a }
      let isNewlineMissing = length < original.count && original[length] == 0x0a
      #expect(records.lineCount - records.damagedLineCount == whole + (isNewlineMissing ? 1 : 0))
    }
  }

  private static func split(_ text: [UInt8]) -> [[UInt8]] {
    text.split(separator: 0x0a).map { Array($0) }
  }

  /// A line that was changed and still has its sum is damaged.
  ///
  /// One that lost it counts: it might be a simple program's.
  private static func readOther(_ line: [UInt8]) -> CostLine {
    hasSum(line) ? .damaged : read(line)
  }

  private static func isOtherOrigin(_ line: [UInt8]) -> Bool {
    !hasSum(line) && asLine(line) { OriginLine.read($0, with: JSONReader()) } != .damaged
  }

  private static func hasSum(_ line: [UInt8]) -> Bool {
    String(decoding: line, as: UTF8.self).contains("\"sum\"")
  }

  private static func read(_ line: [UInt8]) -> CostLine {
    asLine(line) { CostLine.read($0, with: JSONReader()) }
  }

  private static func asLine<Result>(
    _ line: [UInt8], _ body: (LineReader.Line) -> Result
  ) -> Result {
    let padded = line + [UInt8](repeating: 0, count: 64)
    return padded.withUnsafeBytes { padded in
      body(
        LineReader.Line(
          bytes: UnsafeRawBufferPointer(rebasing: padded[..<line.count]), offset: 0, number: 1,
          isTorn: false, isTooLong: false))
    }
  }

  /// One to four accidents: flipped bits, bytes lost, doubled, moved, made up, or zeroed.
  private static func mutated(_ original: [UInt8], _ random: inout SeededNumbers) -> [UInt8] {
    var text = original
    for _ in 0..<Int.random(in: 1...4, using: &random) where !text.isEmpty {
      let at = Int.random(in: 0..<text.count, using: &random)
      let end = min(text.count, at + Int.random(in: 1...200, using: &random))
      switch Int.random(in: 0..<7, using: &random) {
      case 0: text[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: text.removeSubrange(at..<end)
      case 2: text.insert(contentsOf: Array(text[at..<end]), at: at)
      case 3: text.removeSubrange(at...)
      case 4: for index in at..<end { text[index] = 0 }
      case 5: text.insert(0x0a, at: at)
      default:
        text.insert(
          contentsOf: (0..<8).map { _ in UInt8.random(in: .min ... .max, using: &random) }, at: at)
      }
    }
    return text
  }
}
