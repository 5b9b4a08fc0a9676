import CacheModel
import SeededRandom
import TestSupport
import Testing

@testable import CacheStore

@Suite("Victims in runs")
struct CandidateRunsTests {
  private func victims(_ count: Int) -> [Candidate] {
    var random = SeededNumbers(seed: UInt64(count))
    return (0..<count).map { number in
      let words = (random.next(), random.next(), random.next(), UInt64(number))
      var victim = Candidate(
        name: EntryName(words: words), lastUse: .now, bytes: 0, allocated: 0, cost: 0)
      // Most inodes lie in the first half of the table.
      victim.place = UInt8.random(in: 0..<(number % 8 == 0 ? 255 : 128), using: &random)
      return victim
    }
  }

  /// What is handed out, run by run.
  private func runs(_ victims: inout [Candidate], most: Int = .max) -> [[Candidate]] {
    victims.withUnsafeMutableBufferPointer { victims in
      let work = CandidateRuns(forRemoving: victims, most: most)
      var taken: [[Candidate]] = []
      while let run = work.take() { taken.append(Array(run)) }
      return taken
    }
  }

  @Test(
    "every victim is in one run, every run in one shard, and rounds are about a transaction's worth",
    arguments: [0, 1, 70_000, 200_000])
  func rounds(count: Int) throws {
    var all = victims(count)
    let numbers = Set(all.map(\.name.words.3))
    let runs = runs(&all)
    #expect(runs.map(\.count).reduce(0, +) == count)
    #expect(Set(runs.joined().map(\.name.words.3)) == numbers)
    // A round: a quarter of the shards, one after the other, and a part of the table.
    var rounds: [(shards: [Shard], places: Set<UInt8>, count: Int)] = []
    for run in runs {
      let shard = try #require(run.first?.name.shard)
      #expect(run.allSatisfy { $0.name.shard == shard })
      if let last = rounds.last?.shards.last, last < shard, last.number / 64 == shard.number / 64 {
        rounds[rounds.count - 1].shards.append(shard)
        rounds[rounds.count - 1].places.formUnion(run.map(\.place))
        rounds[rounds.count - 1].count += run.count
      } else {
        rounds.append(([shard], Set(run.map(\.place)), run.count))
      }
    }
    let parts = max(1, count / 65_536)
    #expect(rounds.count <= 4 * parts)
    guard parts > 1 else { return }
    #expect(rounds.allSatisfy { $0.count > 8_000 && $0.count < 32_000 })
    for (one, next) in zip(rounds, rounds.dropFirst()) {
      guard let a = one.shards.first, let b = next.shards.first, a.number / 64 == b.number / 64
      else { continue }
      #expect(one.places.isDisjoint(with: next.places))
    }
  }

  @Test("a run is no longer than one may hold a lock")
  func pieces() {
    var all = victims(5_000)
    let runs = runs(&all, most: 7)
    #expect(runs.map(\.count).reduce(0, +) == 5_000)
    #expect(runs.allSatisfy { $0.count <= 7 && !$0.isEmpty })
  }

  @Test("a candidate's place, allocation and traits leave each other alone")
  func packing() {
    var victim = Candidate(
      name: EntryName(words: (1, 2, 3, 4)), lastUse: .now, bytes: 1, allocated: 4096, cost: 1,
      traits: .stray)
    victim.place = 200
    victim.traits.insert(.exact)
    #expect(victim.place == 200 && victim.allocated == 4096 && victim.traits == [.stray, .exact])
    victim.allocated = 1 << 60
    #expect(victim.place == 200 && victim.allocated == 1 << 48 - 1 && victim.isExact)
    victim.place = 0
    #expect(
      victim.place == 0 && victim.allocated == 1 << 48 - 1 && victim.traits == [.stray, .exact])
  }
}
