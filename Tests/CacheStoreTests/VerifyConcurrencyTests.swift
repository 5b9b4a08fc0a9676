import CacheModel
import Foundation
import SeededRandom
import Synchronization
import TestSupport
import Testing

@testable import CacheStore

@Suite("Checking beside others") struct VerifyConcurrencyTests {
  @Test("thousands of replacements, removals and evictions beside it are never a finding")
  func busy() throws {
    let cache = try VerifyFixture()
    let keys = 24
    for index in 0..<keys { try cache.put(index, VerifyFixture.body(index, 2000)) }
    let isDone = Atomic<Bool>(false)
    let rounds = Atomic<Int>(0)
    let root = cache.root
    let failures = Mutex<[String]>([])
    let workers = (0..<3).map { number in
      Thread {
        do {
          let store = try Store(at: root)
          var random = SeededNumbers(seed: UInt64(number))
          while !isDone.load(ordering: .relaxed) {
            try Self.disturb(store, keys, &random, evicts: number == 2)
            rounds.add(1, ordering: .relaxed)
          }
        } catch { failures.withLock { $0.append("\(error)") } }
      }
    }
    workers.forEach { $0.start() }
    var runs = 0
    while rounds.load(ordering: .relaxed) < 6000 || runs < 20 {
      let (findings, result) = cache.verify()
      #expect(findings == [])
      #expect(result.tally.changing == 0)
      runs += 1
      if !findings.isEmpty { break }
    }
    isDone.store(true, ordering: .relaxed)
    while workers.contains(where: { !$0.isFinished }) { usleep(1000) }
    #expect(failures.withLock { $0 } == [])
    #expect(cache.verify().findings == [])
  }

  private static func disturb(
    _ store: Store, _ keys: Int, _ random: inout SeededNumbers, evicts: Bool
  ) throws {
    let index = Int.random(in: 0..<keys, using: &random)
    let name = try VerifyFixture.key(index).name
    if evicts {
      var victims = [Candidate(name: name, lastUse: .now, bytes: 0, allocated: 0, cost: 0)]
      let request = ScanRequest(now: .now)
      victims.withUnsafeMutableBufferPointer { store.look(at: $0, request) }
      _ = victims.withUnsafeMutableBufferPointer {
        store.evict($0, EvictionOrders(now: request.now, why: { _ in .maxBytes }))
      }
    } else if Int.random(in: 0..<10, using: &random) == 0 {
      try store.remove(name, now: .now)
    } else {
      let body = VerifyFixture.body(
        Int.random(in: 0..<1000, using: &random), Int.random(in: 0..<5000, using: &random))
      try store.put(body, StoreRequest(key: VerifyFixture.key(index)), now: .now)
    }
  }

  @Test("a writer that stopped with the lock held keeps no check from its end")
  func stoppedWriter() throws {
    let cache = try VerifyFixture()
    let name = try cache.put(1, [1, 2, 3])
    let lock = open("\(cache.root)/\(Layout.lock(name.shard))", O_RDWR)
    defer { close(lock) }
    flock(lock, LOCK_EX)
    let start = ContinuousClock.now
    #expect(cache.kinds() == [:])
    #expect(ContinuousClock.now - start < .seconds(5), "nothing suspicious needs no lock")
  }
}
