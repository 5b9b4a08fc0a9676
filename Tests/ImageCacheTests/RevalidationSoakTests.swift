import CacheModel
import CacheStore
import Foundation
import TestSupport
import Testing

/// `SOAK_SECONDS` and `SOAK_SEED` are those of `make soak`.
@Suite("SoakTests of origins that fail at random") struct RevalidationSoakTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let seconds = environment["SOAK_SECONDS"].flatMap { Int($0) } ?? 5
  private static let seed =
    environment["SOAK_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000)
  private static let perHost = 3

  private let targets = (0..<120).map { "/\($0).gif" }

  @Test("nothing good is lost, and no request is made beyond the limits")
  func soak() throws {
    print("soak of \(Self.seconds) seconds, seed \(Self.seed)")
    let origins = try (0..<2).map { try RandomOrigin(seed: Self.seed &+ UInt64($0)) }
    let cache = try OriginCache()
    for one in origins {
      for target in targets {
        try cache.put(one.origin.url(target), RandomOrigin.images(target)[0])
      }
    }
    let start = ContinuousClock.now
    var rounds = 0
    repeat {
      try round(rounds, cache)
      rounds += 1
    } while rounds < 3 || .now < start + .seconds(Self.seconds)
    let elapsed = (ContinuousClock.now - start) / .seconds(1)
    try check(cache, origins)
    for one in origins { #expect(one.origin.mostAtOnce <= Self.perHost, "seed \(Self.seed)") }
    let asked = origins.map(\.origin.requests.count).reduce(0, +)
    #expect(asked > targets.count)
    // Starts are made up for within 10 ms: a run's first ones may come that much early.
    #expect(Double(asked) <= 400 * elapsed + 5 * Double(rounds), "seed \(Self.seed)")
    print("\(rounds) rounds, \(asked) requests")
  }

  /// Some runs are killed and some stopped; the others come to their end.
  private func round(_ number: Int, _ cache: OriginCache) throws {
    let words = [
      "--root", cache.store.path, "--quiet", "revalidate", "--all", "--allow-net", "127.0.0.1",
      "--per-host", "\(Self.perHost)", "--rate", "400", "--retries", "1", "--max-duration", "3s",
    ]
    let run = try Command(Repository.cachectl, words).start()
    if number % 3 != 0 {
      usleep(UInt32(20_000 + number * 7919 % 300_000))
      run.signal(number % 3 == 1 ? SIGKILL : SIGTERM)
    }
    let ended = try run.wait().status
    // What a killed run asked may still be being answered.
    if ended == 128 + SIGKILL { usleep(100_000) }
    #expect([0, 3, 128 + SIGKILL, 128 + SIGTERM].contains(ended), "seed \(Self.seed)")
  }

  private func check(_ cache: OriginCache, _ origins: [RandomOrigin]) throws {
    for one in origins {
      for target in targets {
        let image = try #require(try cache.object(one.origin.url(target)))
        #expect(RandomOrigin.images(target).contains(image), "seed \(Self.seed), \(target)")
      }
    }
    // A killed run leaves interrupted stores at most.
    let verify = try Command.cachectl("--root", cache.store.path, "--json", "verify").run()
    let counts = try #require(try verify.json()["counts"] as? [String: Int])
    #expect(verify.status == 0 && counts["damaged"] == 0 && counts["missing"] == 0)
  }
}
