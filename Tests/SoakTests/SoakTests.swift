import Foundation
import TestSupport
import Testing

@Suite struct SoakTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let seconds = environment["SOAK_SECONDS"].flatMap { Int($0) } ?? 5
  private static let seed =
    environment["SOAK_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000)

  @Test(
    "after use, cleaning, kills and removals at random every entry is whole and right or absent")
  func soak() throws {
    print("soak of \(Self.seconds) seconds, seed \(Self.seed)")
    let soak = try Soak(seed: Self.seed)
    let end = ContinuousClock.now + .seconds(Self.seconds)
    while .now < end { try soak.step() }
    try soak.settle()
    print("\(soak.steps) steps")
    #expect(soak.findings == [], "seed \(Self.seed)")
    try soak.checkEveryKey()

    // Manifests and objects agree: a full gc has settled what kills and removals by hand left open.
    let verify = try soak.command("--json", "verify").run()
    let counts = try #require(try verify.json()["counts"] as? [String: Int])
    // A killed writer's leftover stays for an hour, in case it only looks dead.
    for (state, count) in counts where state != "sound" && state != "leftover" {
      #expect(count == 0, "\(state), seed \(Self.seed)")
    }
    #expect(verify.status == 0)
  }
}
