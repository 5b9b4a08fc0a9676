import CacheModel
import ImageCache
import SeededRandom
import Synchronization
import Testing

@Suite("The memory tier")
struct MemoryCacheTests {
  /// What left, in its order.
  final class Left: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }

    func note(_ leaver: MemoryLeaver<Int, String>) {
      let line = "\(leaver.key) \(leaver.value) \(leaver.cost) \(leaver.why)"
      lines.withLock { $0.append(line) }
    }
  }

  private func limits(_ random: inout SeededNumbers) -> MemoryLimits {
    MemoryLimits(
      count: Bool.random(using: &random) ? Int.random(in: 0...20, using: &random) : nil,
      cost: Bool.random(using: &random) ? ByteCount(.random(in: 0...200, using: &random)) : nil)
  }

  @Test(
    "after every step it holds what a plain list would, in the same order of use, and what left did so for the same reason",
    arguments: 0..<20)
  func model(seed: Int) {
    var random = SeededNumbers(seed: UInt64(seed))
    let first = limits(&random)
    let left = Left()
    let cache = MemoryCache<Int, String>(first) { left.note($0) }
    var model = MemoryModel(first)
    for step in 0..<500 {
      let key = Int.random(in: 0..<40, using: &random)
      var isSame = true
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<50: isSame = cache.value(for: key) == model.value(key)
      case 50..<90:
        let new = MemoryModel.Held(
          key: key, value: "\(step)", cost: .random(in: 0...60, using: &random))
        isSame = model.insert(new) == cache.insert(new.value, for: key, cost: new.cost)
      case 90..<97:
        cache.remove(key)
        model.remove(key)
      case 97:
        cache.removeAll(.pressure)
        model.removeAll(.pressure)
      default:
        let new = limits(&random)
        cache.limits = new
        model.limit(to: new)
      }
      isSame = isSame && cache.keysByUse == model.held.map(\.key) && left.all == model.left
      isSame = isSame && cache.usage.cost == Int128(model.held.reduce(0) { $0 + $1.cost })
      // An expectation costs more than a step.
      if !isSame { return #expect(Bool(false), "seed \(seed), step \(step)") }
    }
  }

  @Test(
    "many tasks at once: no limit is passed at any time, and what came in is there or has left once"
  )
  func strict() async {
    let limits = MemoryLimits(count: 50, cost: ByteCount(5000))
    let tally = Tally()
    let cache = MemoryCache<Int, Counted>(limits) { _ in
      tally.left.add(1, ordering: .relaxed)
    }
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          var random = SeededNumbers(seed: UInt64(task))
          for _ in 0..<3000 {
            let key = Int.random(in: 0..<200, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
              let cost = Int64.random(in: 0...400, using: &random)
              if cache.insert(Counted(key), for: key, cost: cost) {
                tally.came.add(1, ordering: .relaxed)
              }
            case 4: cache.remove(key)
            default:
              let found = cache.value(for: key)
              if found.map({ $0.key != key }) == true { tally.wrong.add(1, ordering: .relaxed) }
            }
            let usage = cache.usage
            if usage.count > 50 || usage.cost > 5000 { tally.wrong.add(1, ordering: .relaxed) }
          }
        }
      }
    }
    #expect(tally.wrong.load(ordering: .relaxed) == 0)
    let (came, left) = (
      tally.came.load(ordering: .relaxed), tally.left.load(ordering: .relaxed)
    )
    #expect(came == left + cache.usage.count)
    #expect(cache.keysByUse.count == cache.usage.count)
  }

  private final class Tally: Sendable {
    let came = Atomic<Int>(0)
    let left = Atomic<Int>(0)
    let wrong = Atomic<Int>(0)
  }

  /// A value whose memory would tell when it was freed too early.
  private final class Counted: Sendable {
    let key: Int
    init(_ key: Int) { self.key = key }
  }

  @Test(
    "the order of use is exact over all tasks: each finds its own uses in it, and eviction follows it"
  )
  func exactOrder() async {
    let left = Left()
    let cache = MemoryCache<Int, String>(MemoryLimits()) { left.note($0) }
    for key in 0..<800 { cache.insert("", for: key, cost: 1) }
    let used = await withTaskGroup(of: [Int].self) { group in
      for task in 0..<8 {
        group.addTask {
          var random = SeededNumbers(seed: UInt64(task))
          var last: [Int: Int] = [:]
          for step in 0..<5000 {
            let key = task * 100 + .random(in: 0..<100, using: &random)
            _ = cache.value(for: key)
            last[key] = step
          }
          return last.keys.sorted { last[$0] ?? 0 < last[$1] ?? 0 }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let order = cache.keysByUse
    for own in used {
      let mine = Set(own)
      #expect(order.filter(mine.contains) == own)
    }
    cache.limits = MemoryLimits(cost: ByteCount(0))
    #expect(left.all.compactMap { Int($0.prefix { $0 != " " }) } == order)
  }

  @Test("values are structs or objects as they are, and the watcher may use the cache itself")
  func reentrant() {
    struct Thumbnail: Sendable, Equatable { var width: Int }
    let saved = MemoryCache<String, Thumbnail>(MemoryLimits(count: 10))
    let cache = MemoryCache<String, Thumbnail>(MemoryLimits(count: 1)) {
      saved.insert($0.value, for: $0.key, cost: $0.cost)
    }
    cache.insert(Thumbnail(width: 1), for: "a", cost: 8)
    cache.insert(Thumbnail(width: 2), for: "b", cost: 8)
    #expect(saved.value(for: "a") == Thumbnail(width: 1))
    #expect(cache.value(for: "b") == Thumbnail(width: 2))
  }

  @Test("a megabyte is a million bytes")
  func megabytes() {
    let cache = MemoryCache<Int, Int>(MemoryLimits(cost: .megabytes(1)))
    #expect(cache.insert(1, for: 1, cost: 1_000_000))
    #expect(!cache.insert(1, for: 1, cost: 1_000_001))
    #expect(cache.value(for: 1) == nil)
  }
}
