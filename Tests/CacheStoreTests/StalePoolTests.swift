import CacheModel
import SeededRandom
import Testing

@testable import CacheStore

@Suite("The stalest entries in bounded memory") struct StalePoolTests {
  private func entries(_ count: Int, seed: UInt64) -> [StaleEntry] {
    var random = SeededNumbers(seed: seed)
    return (0..<count).map { _ in
      // Few times, so that many are equal and names decide.
      StaleEntry(
        freshUntil: Instant(milliseconds: .random(in: 0..<50, using: &random)),
        name: EntryName(words: (random.next(), 0, 0, random.next())))
    }
  }

  @Test("what is kept is the exact beginning of the order, and the horizon is what follows")
  func exact() {
    for seed in UInt64(0)..<20 {
      let all = entries(1000, seed: seed)
      var pool = StalePool(capacity: 64)
      for start in stride(from: 0, to: all.count, by: 37) {
        pool.offer(Array(all[start..<min(start + 37, all.count)]))
      }
      let kept = pool.sorted()
      let order = all.sorted()
      #expect(kept == Array(order.prefix(kept.count)), "seed \(seed)")
      #expect(pool.horizon == order[kept.count], "seed \(seed)")
      #expect(kept.count >= 32 && kept.count <= 64, "seed \(seed)")
    }
  }

  @Test("while all fit there is no horizon")
  func small() {
    let all = entries(64, seed: 1)
    var pool = StalePool(capacity: 64)
    pool.offer(all)
    #expect(pool.horizon == nil && pool.sorted() == all.sorted())
  }
}
