import CacheModel
import Foundation
import SeededRandom
import TestSupport
import Testing

@testable import CacheStore

@Suite("Damage") struct VerifyDamageTests {
  /// What can happen to an object, and the class it must be found in.
  enum Harm: CaseIterable {
    case none, flip, cut, empty, lengthen, zero, delete

    var kind: Finding.Kind? {
      switch self {
      case .none: nil
      case .delete: .missing
      default: .damaged
      }
    }
  }

  @Test("thousands of harmed objects are all found, in the right class, and no other")
  func objects() throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    var random = SeededNumbers(seed: seed)
    let cache = try VerifyFixture()
    var expected: [EntryName: Finding.Kind] = [:]
    for index in 0..<4000 {
      let name = try cache.put(
        index, VerifyFixture.body(index, Int.random(in: 1...3000, using: &random)))
      let harm = Harm.allCases.randomElement(using: &random) ?? .none
      try apply(harm, to: cache.path(name), &random)
      expected[name] = harm.kind
    }
    let (findings, result) = cache.verify()
    var found: [EntryName: Finding.Kind] = [:]
    for finding in findings { found[try #require(finding.name)] = finding.kind }
    #expect(found == expected, "seed \(seed)")
    #expect(result.tally.sound == Int64(4000 - expected.count), "seed \(seed)")
    #expect(findings.count == expected.count, "seed \(seed)")
    #expect(findings.allSatisfy { $0.key != nil }, "seed \(seed)")
  }

  private func apply(_ harm: Harm, to path: String, _ random: inout SeededNumbers) throws {
    if harm == .none { return }
    if harm == .delete {
      #expect(unlink(path) == 0)
      return
    }
    var numbers = random
    try FileBytes(path: path).change { bytes in
      let place = Int.random(in: 0..<bytes.count, using: &numbers)
      switch harm {
      case .flip: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
      case .cut: bytes.removeLast(bytes.count - place)
      case .empty: bytes = []
      case .lengthen: bytes += [UInt8](repeating: 0, count: place + 1)
      default:
        // Zeroes where there were none: a block that a disk lost.
        bytes[place] = bytes[place] == 0 ? 1 : 0
        for index in place..<min(place + 512, bytes.count) where index != place { bytes[index] = 0 }
      }
    }
    random = numbers
  }

  @Test("two objects that took each other's place are both found")
  func swaps() throws {
    let cache = try VerifyFixture()
    let names = try (0..<400).map { try cache.put($0, VerifyFixture.body($0, 700)) }
    for pair in stride(from: 0, to: 200, by: 2) {
      let (a, b) = (cache.path(names[pair]), cache.path(names[pair + 1]))
      rename(a, a + ".swap")
      rename(b, a)
      rename(a + ".swap", b)
    }
    #expect(Set(cache.kinds().keys) == Set(names[..<200]))
    #expect(cache.kinds().values.allSatisfy { $0 == .damaged })
  }

  @Test("what is wrong with an object is said")
  func details() throws {
    let cache = try VerifyFixture()
    let names = try (0..<4).map { try cache.put($0, VerifyFixture.body($0, 1000)) }
    let changes: [(inout [UInt8]) -> Void] = [
      { $0 = [] }, { $0.removeLast(10) }, { $0.append(7) }, { $0[500] ^= 1 },
    ]
    let starts = [
      "empty, 1000 bytes recorded", "cut short: 990 bytes, 1000 recorded",
      "too long: 1001 bytes, 1000 recorded", "other bits: XXH3-128 ",
    ]
    for (name, change) in zip(names, changes) {
      try FileBytes(path: cache.path(name)).change(change)
    }
    let found = cache.verify().findings
    for (name, start) in zip(names, starts) {
      let finding = try #require(found.first { $0.name == name })
      #expect(finding.detail.hasPrefix(start))
      #expect(finding.path == Layout.object(name))
    }
  }

  @Test(
    "a flipped bit anywhere in a record of content is found at its line, and the object is a stray")
  func costLines() throws {
    try flipLines(of: "cost.jsonl", leaves: .stray)
  }

  @Test(
    "a flipped bit anywhere in a record of origin is found at its line, and the object stays sound")
  func originLines() throws {
    try flipLines(of: "etag.jsonl", leaves: nil)
  }

  private func flipLines(of file: String, leaves kind: Finding.Kind?) throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    var random = SeededNumbers(seed: seed)
    let cache = try VerifyFixture()
    for index in 0..<3000 { try cache.put(index, [UInt8(index % 251)]) }
    var harmed: Set<String> = []
    for shard in Shard.all {
      let path = "manifests/\(shard)/\(file)"
      guard let text = try? FileBytes(path: "\(cache.root)/\(path)").read() else { continue }
      var lines = text.split(separator: 0x0a).map(Array.init)
      for number in lines.indices where Bool.random(using: &random) {
        flipBit(in: &lines[number], &random)
        harmed.insert("\(path):\(number + 1)")
      }
      try FileBytes(path: "\(cache.root)/\(path)").change { $0 = lines.flatMap { $0 + [0x0a] } }
    }
    let (findings, result) = cache.verify()
    let lines = Set(findings.filter { $0.kind == .damagedLine }.map(\.path))
    #expect(lines == harmed, "seed \(seed)")
    #expect(
      Set(findings.map(\.kind)) == Set([.damagedLine] + (kind.map { [$0] } ?? [])), "seed \(seed)")
    #expect(result.tally[.stray] == (kind == nil ? 0 : Int64(harmed.count)), "seed \(seed)")
    #expect(result.tally[.damaged] == 0 && result.tally.tornLines == 0, "seed \(seed)")
  }

  /// Flips one bit so that the line stays one line.
  private func flipBit(in line: inout [UInt8], _ random: inout SeededNumbers) {
    while true {
      let place = Int.random(in: line.indices, using: &random)
      let flipped = line[place] ^ 1 << UInt8.random(in: 0..<8, using: &random)
      // The last brace is what tells a torn line.
      if flipped == 0x0a || place == line.count - 1 { continue }
      line[place] = flipped
      return
    }
  }

  @Test("a manifest that was cut off costs the records behind the cut and is torn, not damaged")
  func cutManifest() throws {
    let cache = try VerifyFixture()
    let names = try (0..<2000).map { try cache.put($0, [UInt8($0 % 251)]) }
    let shard = try #require(names.first).shard
    let path = "\(cache.root)/\(Layout.cost(shard))"
    let length = try FileBytes(path: path).read().count
    truncate(path, off_t(length - 40))
    let (findings, result) = cache.verify()
    #expect(findings.map(\.kind).sorted { $0.rawValue < $1.rawValue } == [.damagedLine, .stray])
    #expect(result.tally.tornLines == 1)
  }

  @Test("a record of one key under another's name is found")
  func wrongKey() throws {
    let cache = try VerifyFixture()
    let name = try cache.put(1, [1])
    var lines = LineWriter()
    let origin = OriginRecord(key: try VerifyFixture.key(2), checked: .now)
    let fits = lines.origin(name, origin)
    #expect(fits)
    try FileBytes(path: "\(cache.root)/\(Layout.origin(name.shard))").change { $0 += lines.bytes }
    let findings = cache.verify().findings
    #expect(findings.map(\.detail) == ["its key is not the name's"])
    #expect(findings.map(\.path) == ["\(Layout.origin(name.shard)):2"])
  }
}
