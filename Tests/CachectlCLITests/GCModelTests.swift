import Foundation
import TestSupport
import Testing

/// `GC_CASES=N` runs more cases, `GC_SEED=N` the same ones again.
@Suite("gc against a reference that stats everything and sorts")
struct GCModelTests {
  private static let environment = ProcessInfo.processInfo.environment
  static let cases = environment["GC_CASES"].flatMap { Int($0) } ?? 240
  static let seed =
    environment["GC_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000)

  @Test("the same victims in the same order, and exactly the rest stays", arguments: 0..<4)
  func victims(part: Int) throws {
    let seed = Self.seed &+ UInt64(part)
    print("gc against the reference: seed \(Self.seed)")
    var world = try GCWorld(seed: seed)
    for number in 0..<Self.cases / 4 {
      for _ in 0..<Int.random(in: 0...25, using: &world.random) { try world.step() }
      let context = "seed \(seed), case \(number)"
      let now = world.now
      let before = try DiskReader.entries(world.cache.root, now: now)
      let budget = world.budget(of: before)
      let expected = budget.victims(of: before, now: now)
      let planned = try plan(world.cache, budget, context)
      #expect(planned == expected, "\(context): \(budget.words)")
      #expect(try DiskReader.entries(world.cache.root, now: now) == before, "\(context)")
      try apply(world, budget, Set(expected), before, context)
    }
  }

  /// What a dry run says would go.
  func plan(_ cache: TestCache, _ budget: TypedBudget, _ context: String) throws -> [String] {
    let report = try cache.command(["--json", "gc", "-n"] + budget.words).run().json()
    return report.objects("victims").map { "\($0["name"] ?? "") \($0["limit"] ?? "")" }
  }

  /// The run itself leaves exactly the rest, and says so.
  func apply(
    _ world: GCWorld, _ budget: TypedBudget, _ victims: Set<String>, _ before: [DiskEntry],
    _ context: String
  ) throws {
    let result = try world.cache.command(["--json", "gc"] + budget.words).run()
    let report = try result.json()
    let gone = Set(victims.map { String($0.prefix(64)) })
    let rest = before.filter { !gone.contains($0.name) }
    let after = try DiskReader.entries(world.cache.root, now: world.now)
    #expect(Set(after.map(\.name)) == Set(rest.map(\.name)), "\(context)")
    let proof = report.object("after")
    #expect(proof.number("entries") == after.count, "\(context)")
    #expect(proof.number("bytes") == Int(after.reduce(0) { $0 + $1.bytes }), "\(context)")
    #expect(proof.number("cost") == Int(after.reduce(0) { $0 + $1.cost }), "\(context)")
    #expect(report.object("evicted").number("entries") == victims.count, "\(context)")
    let isMet = budget.isMet(by: after, now: world.now)
    #expect(report["met"] as? Bool == isMet, "\(context) \(budget.words): \(result.output)")
    #expect(result.status == (isMet ? 0 : 4), "\(context): \(result.errors)")
  }
}

extension TypedBudget {
  func isMet(by entries: [DiskEntry], now: Int64) -> Bool {
    Int64(entries.count) <= maxCount ?? .max
      && entries.reduce(0) { $0 + bytes($1) } <= maxSize ?? .max
      && entries.reduce(0) { $0 + $1.cost } <= maxCost ?? .max
      && entries.allSatisfy { $0.lastUse >= maxAge.map { now - $0 * 1000 } ?? .min }
  }
}
