import CacheModel
import Foundation
import TestSupport
import Testing

@testable import CacheStore

@Suite("Repair") struct VerifyRepairTests {
  /// A cache with a damaged, an interrupted, a missing and a stray entry among sound ones.
  private struct Broken {
    let cache: VerifyFixture
    let damaged, interrupted, missing, stray: EntryName

    init() throws {
      cache = try VerifyFixture()
      for index in 0..<200 { try cache.put(index, VerifyFixture.body(index, 100)) }
      damaged = try VerifyFixture.key(0).name
      interrupted = try VerifyFixture.key(1).name
      missing = try VerifyFixture.key(2).name
      stray = try VerifyFixture.key(900).name
      try FileBytes(path: cache.path(damaged)).change { $0[1] ^= 1 }
      unlink(cache.path(missing))
      try Data([4, 5]).write(to: URL(fileURLWithPath: cache.path(stray)))
      var lines = LineWriter()
      lines.cost(
        CostRecord(
          name: interrupted, bytes: 3, cost: 3, hash: ContentHash(high: 1, low: 1), stored: .now,
          used: .now))
      try FileBytes(path: "\(cache.root)/\(Layout.cost(interrupted.shard))").change {
        $0 += lines.bytes
      }
    }

    var kinds: [EntryName: Finding.Kind] {
      [damaged: .damaged, interrupted: .interrupted, missing: .missing, stray: .stray]
    }
  }

  @Test("without being told, nothing is repaired")
  func none() throws {
    let broken = try Broken()
    #expect(broken.cache.kinds() == broken.kinds)
    #expect(broken.cache.kinds() == broken.kinds)
  }

  @Test("quarantine keeps bytes and a note, settles and ends the rest, and leaves strays")
  func quarantine() throws {
    let broken = try Broken()
    let bytes = try FileBytes(path: broken.cache.path(broken.damaged)).read()
    let result = broken.cache.verify { $0.repair = .quarantine }.result
    #expect(result.tally[.damaged] == 1 && result.repaired.quarantined == 1)
    #expect(
      result.repaired.settled == 1 && result.repaired.ended == 1 && result.repaired.failed == 0)
    #expect(broken.cache.kinds() == [broken.stray: .stray])
    let place = "\(broken.cache.root)/quarantine/\(broken.damaged)"
    #expect(try FileBytes(path: place).read() == bytes)
    let note = try JSONSerialization.jsonObject(with: Data(FileBytes(path: place + ".json").read()))
    let members = try #require(note as? [String: Any])
    #expect(members["key"] as? String == (try VerifyFixture.key(0).text))
    #expect(members["recorded_bytes"] as? Int == 100)
    #expect((members["detail"] as? String)?.hasPrefix("other bits") == true)
  }

  @Test("what is damaged again finds its place beside the first in quarantine")
  func twice() throws {
    let broken = try Broken()
    _ = broken.cache.verify { $0.repair = .quarantine }
    try broken.cache.put(0, [1, 2, 3])
    try FileBytes(path: broken.cache.path(broken.damaged)).change { $0[1] ^= 1 }
    _ = broken.cache.verify { $0.repair = .quarantine }
    let names = try FileManager.default.contentsOfDirectory(
      atPath: broken.cache.root + "/quarantine")
    let name = "\(broken.damaged)"
    #expect(names.sorted() == [name, name + ".2", name + ".2.json", name + ".json"].sorted())
  }

  @Test("delete removes the damaged object alone")
  func delete() throws {
    let broken = try Broken()
    let result = broken.cache.verify { $0.repair = .delete }.result
    #expect(result.repaired.deleted == 1)
    #expect(broken.cache.kinds() == [broken.stray: .stray])
    #expect(broken.cache.verify().result.tally.sound == 198)
    #expect(broken.cache.store.get(try VerifyFixture.key(0), touchAt: nil) == nil)
  }

  @Test("a stray is adopted when told, with its own time as last use")
  func adopt() throws {
    let broken = try Broken()
    let result = broken.cache.verify { $0.adoptsStrays = true }.result
    #expect(result.repaired.adopted == 1 && result.repaired.deleted == 0)
    let record = try #require(try broken.cache.store.record(of: broken.stray))
    #expect(record.bytes == 2 && record.hash != nil)
    #expect(broken.cache.kinds()[broken.stray] == nil)
    #expect(broken.cache.kinds().count == 3)
  }

  @Test("an entry that was stored anew since it was judged is left alone")
  func spared() throws {
    let cache = try VerifyFixture()
    let name = try cache.put(1, [1, 2, 3])
    let old = try #require(try cache.store.record(of: name))
    let order = RepairOrder(
      kind: .damaged, name: name, identity: nil, record: old, detail: "", hash: nil)
    try cache.put(1, [4, 5, 6, 7])
    var request = VerifyRequest(now: .now)
    request.repair = .delete
    var repair = try Repair([order], of: name.shard, in: cache.store, request)
    repair.apply(order)
    let tally = repair.finish()
    #expect(tally.spared == 1 && tally.deleted == 0)
    #expect(cache.kinds() == [:] && cache.verify().result.tally.sound == 1)
  }
}
