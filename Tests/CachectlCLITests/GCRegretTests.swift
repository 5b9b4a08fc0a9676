import TestSupport
import Testing

@Suite("gc and what it should have kept")
struct GCRegretTests {
  @Test("an entry that is stored again soon after its eviction is told by gc and stat")
  func regret() throws {
    let cache = try TestCache()
    // Equal times go by name, so that which two stay does not matter here.
    for key in ["a", "b", "c", "d"] { try cache.put(key, [1, 2, 3]) }
    let first = try cache.json("gc", "--max-count", "2", "--dry-run")
    #expect(first.number("regretted") == 0)
    let victims = try cache.json("gc", "--max-count", "2")
    #expect(victims.object("evicted").number("younger_than_a_day") == 2)
    #expect(try cache.json("stat").number("regretted") == 0)
    for key in ["a", "b", "c", "d"] { try cache.put(key, [1, 2, 3]) }
    #expect(try cache.json("gc", "--max-count", "4").number("regretted") == 2)
    #expect(try cache.json("stat").number("regretted") == 2)
  }
}
