import CacheModel
import CachePlan
import SeededRandom
import Testing

@Suite("Eviction against a reference that looks at everything and sorts")
struct EvictionModelTests {
  @Test(
    "the victims are the reference's, in its order, whatever the index has wrong", arguments: 0..<20
  )
  func sameVictims(block: Int) {
    for seed in block * 100..<(block + 1) * 100 {
      var world = World(seed: UInt64(seed))
      let inventory = world.inventory()
      let expected = world.reference(inventory.truths)
      var actual: [String] = []
      _ = Eviction(
        of: inventory, to: world.budget, room: world.room, ScanRequest(now: world.now),
        capacity: world.capacity
      ).run { victims, cutoffs in
        var sorted = victims
        sorted.sort { $0.key < $1.key }
        actual += sorted.map { "\($0.name) \(cutoffs.limit(for: $0).rawValue)" }
        return inventory.evict(
          victims, EvictionOrders(now: world.now, why: cutoffs.limit))
      }
      #expect(actual == expected, "seed \(seed)")
      if actual != expected { return }
    }
  }

  @Test("the oldest last use that stays is the reference's", arguments: 0..<10)
  func sameRetention(block: Int) {
    for seed in block * 100..<(block + 1) * 100 {
      var world = World(seed: UInt64(seed))
      let inventory = world.inventory()
      let result = Eviction(
        of: inventory, to: world.budget, room: world.room, ScanRequest(now: world.now),
        capacity: world.capacity
      ).run { victims, cutoffs in
        inventory.evict(victims, EvictionOrders(now: world.now, why: cutoffs.limit))
      }
      #expect(result.oldestKept == inventory.truths.map(\.lastUse).min(), "seed \(seed)")
    }
  }
}

/// A random cache and a random budget.
private struct World {
  var random: SeededNumbers
  let now = Instant(milliseconds: 1_000_000)
  var budget = Budget()
  var capacity = 0
  var room = FileSystemStatus(
    totalBytes: 1_000_000, freeBytes: 0, totalInodes: 1000, freeInodes: 0, blockSize: 512)

  init(seed: UInt64) { random = SeededNumbers(seed: seed) }

  mutating func inventory() -> ModelInventory {
    let count = Int.random(in: 0...100, using: &random)
    let entries = (0..<count).map { _ in entry() }
    capacity = Int.random(in: 5...120, using: &random)
    chooseBudget(count)
    return ModelInventory(entries, parts: [1, 2, 16, 32].randomElement(using: &random) ?? 1)
  }

  private mutating func entry() -> ModelInventory.Entry {
    // Few distinct times, so that names decide often.
    let lastUse = Int64.random(in: 0...50, using: &random) * 20_000
    let bytes = Int64.random(in: 0...3000, using: &random)
    let truth = Candidate(
      name: EntryName(words: (.random(in: 0 ... .max, using: &random), 0, 0, 0)),
      lastUse: Instant(milliseconds: lastUse), bytes: bytes,
      allocated: room.allocation(of: bytes), cost: .random(in: 0...100, using: &random),
      traits: .exact)
    let bounds: [Int64] = [lastUse, lastUse, Int64.random(in: 0...lastUse, using: &random), .min]
    return ModelInventory.Entry(
      truth: truth, bound: Instant(milliseconds: bounds.randomElement(using: &random) ?? 0),
      isThere: Int.random(in: 0..<10, using: &random) > 0)
  }

  private mutating func chooseBudget(_ count: Int) {
    func some<T>(_ value: T) -> T? { Int.random(in: 0..<3, using: &random) == 0 ? value : nil }
    budget.maxCount = some(Int64.random(in: 0...Int64(count + 5), using: &random))
    budget.maxBytes = some(ByteCount(.random(in: 0...Int64(count + 1) * 1500, using: &random)))
    budget.maxCost = some(.random(in: 0...Int64(count + 1) * 50, using: &random))
    budget.maxAge = some(.milliseconds(Int64.random(in: 0...1_000_000, using: &random)))
    budget.minFree = some(.amount(.random(in: 0...100_000, using: &random)))
    budget.minFreeInodes = some(.amount(.random(in: 0...100, using: &random)))
    budget.grace = some(.milliseconds(Int64.random(in: 0...500_000, using: &random))) ?? .zero
    budget.target = some(Int.random(in: 1...100, using: &random)) ?? 100
  }

  /// What ten lines say that has to go, each with the limit that asks for it.
  func reference(_ truths: [Candidate]) -> [String] {
    let bytes = truths.reduce(0) { $0 + $1.bytes }
    let cost = truths.reduce(0) { $0 + $1.cost }
    func excess(_ used: Int64, _ most: Int64?) -> (due: Int64, goal: Int64) {
      guard let most, used > most else { return (0, .max) }
      return (used - most * Int64(budget.target) / 100, most * Int64(budget.target) / 100)
    }
    var (dueBytes, goalBytes) = excess(bytes, budget.maxBytes?.bytes)
    var (dueCost, goalCost) = excess(cost, budget.maxCost)
    var dueCount = excess(Int64(truths.count), budget.maxCount).due
    var dueFree = max(0, budget.minFree?.amount(of: room.totalBytes) ?? 0)
    var dueInodes = max(0, budget.minFreeInodes?.amount(of: room.totalInodes) ?? 0)
    let oldest = budget.maxAge.map { now.before(by: $0) } ?? Instant(milliseconds: .min)
    let youngest = now.before(by: budget.grace)
    func isOversized(_ entry: Candidate) -> Bool {
      entry.bytes > goalBytes || entry.cost > goalCost
    }
    let order = truths.filter { $0.lastUse <= youngest }.sorted {
      (isOversized($0) ? 0 : 1, $0.lastUse, $0.name) < (
        isOversized($1) ? 0 : 1, $1.lastUse, $1.name
      )
    }
    return order.compactMap { entry in
      let asking: [(Limit, Bool)] = [
        (.maxAge, entry.lastUse < oldest), (.maxBytes, dueBytes > 0), (.maxCount, dueCount > 0),
        (.maxCost, dueCost > 0), (.minFree, dueFree > 0), (.minFreeInodes, dueInodes > 0),
      ]
      guard let limit = asking.first(where: \.1)?.0 else { return nil }
      dueBytes -= entry.bytes
      dueCount -= 1
      dueCost -= entry.cost
      dueFree -= entry.allocated
      dueInodes -= 1
      return "\(entry.name) \(limit.rawValue)"
    }
  }
}
