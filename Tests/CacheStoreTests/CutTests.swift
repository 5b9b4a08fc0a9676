import CacheModel
import Foundation
import TestSupport
import Testing

@testable import CacheStore

/// Commands that end, as a killed process or a machine without power does, at each of their calls that
/// change the disk.
@Suite("After a cut at any call")
struct CutTests {
  let shim: FaultShim

  init() throws { shim = try FaultShim.shared.get() }

  /// The places where a command can be cut: before each call, in the middle of each write, and
  /// behind the last call.
  ///
  /// Behind any other one is before the next.
  func cuts(_ calls: [FaultCall]) -> [FaultShim.Fault] {
    calls.map { .exitBefore($0.ordinal) }
      + calls.filter { $0.name.hasSuffix("write") }.map { .exitHalfway($0.ordinal) }
      + [.exitAfter(calls.count)]
  }

  @Test(
    "every entry is old or new and whole, nothing is damaged, and the next gc heals",
    arguments: FaultCache.Job.allCases)
  func everyCall(job: FaultCache.Job) throws {
    let cache = try FaultCache()
    let calls = try shim.calls(of: cache.command(job))
    #expect(calls.count >= 3)
    #expect(try cache.wrong(job) == [])
    for cut in cuts(calls) {
      try cache.reset()
      let result = try shim.run(cache.command(job), cut)
      #expect(result.ending == .exited(137), "\(job) \(cut): \(result.errors)")
      try expectSound(cache, job, cut)
      try expectHealed(cache, job, cut)
    }
  }

  func expectSound(_ cache: FaultCache, _ job: FaultCache.Job, _ cut: FaultShim.Fault) throws {
    #expect(try cache.wrong(job) == [], "\(job) \(cut)")
    let verify = try cache.run("--json", "verify")
    #expect(verify.status == 0, "\(job) \(cut): \(verify.output)")
    let counts = try #require(try verify.json()["counts"] as? [String: Int])
    for state in ["damaged", "unreadable", "foreign", "stray"] {
      #expect(counts[state] == 0, "\(job) \(cut): \(state)")
    }
  }

  func expectHealed(_ cache: FaultCache, _ job: FaultCache.Job, _ cut: FaultShim.Fault) throws {
    let before = try cache.entries(job)
    try cache.ageLeftovers()
    let gc = try cache.run("--json", "gc", "--max-count", "1000")
    #expect(gc.status == 0, "\(job) \(cut): \(gc.output)")
    #expect(try cache.entries(job) == before, "\(job) \(cut)")
    for shard in cache.shards {
      #expect(try cache.fixture.isWitnessed(shard), "\(job) \(cut): shard \(shard)")
    }
    #expect(try names(cache.root + "/tmp") == [], "\(job) \(cut)")
    let verify = try cache.run("verify", "--strict")
    #expect(verify.status == 0, "\(job) \(cut): \(verify.output)")
  }

  /// `STORE_ALL_CUTS=1` cuts at every one of init's calls, not at a third of those that are alike.
  @Test("a making that was cut short is completed, and is no cache until then")
  func initialization() throws {
    let folder = try TemporaryDirectory(in: TemporaryDirectory.memory)
    let root = folder.appending("cache")
    let job = Command.cachectl("init", root)
    let cuts = cuts(try shim.calls(of: job))
    let isAll = ProcessInfo.processInfo.environment["STORE_ALL_CUTS"] != nil
    for (index, cut) in cuts.enumerated()
    where isAll || index < 12 || index > cuts.count - 24 || index % 97 == 0 {
      try Command("rm", ["-rf", root]).succeed()
      #expect(try shim.run(job, cut).ending == .exited(137))
      let isMade = exists(root + "/cachectl.json")
      #expect(try Command.cachectl("--root", root, "ls").run().status == (isMade ? 0 : 6), "\(cut)")
      let again = try job.run()
      #expect(again.status == (isMade ? 2 : 0), "\(cut): \(again.errors)")
      try Command.cachectl("--root", root, "verify", "--strict").succeed()
      let store = try Store(at: root)
      let census = try store.scan(ScanRequest(now: .now)) { _, _ in }
      #expect(census.listed == [] && census.problems == [], "\(cut)")
    }
  }
}
