import Foundation
import SeededRandom
import TestSupport

/// A cache that programs use, clean and destroy at random for a while, from one seed.
final class Soak {
  static let keys = 2000

  let folder: TemporaryDirectory
  let root: String
  private let bench: String
  private var random: SeededNumbers
  private var users: [RunningCommand] = []
  /// What a process said that found damage, which none may.
  private(set) var findings: [String] = []
  /// How often something happened.
  private(set) var steps = 0

  init(seed: UInt64) throws {
    folder = try TemporaryDirectory()
    root = folder.appending("cache")
    random = SeededNumbers(seed: seed)
    bench = Bundle.main.bundleURL.path + "/cachectl-bench"
    try Command.cachectl("init", root).succeed()
    for _ in 0..<3 { try addUser() }
  }

  /// Does one thing that may happen to a cache in use.
  func step() throws {
    steps += 1
    switch Int.random(in: 0..<6, using: &random) {
    case 0: try replaceUser()
    case 1: removeByHand()
    case 2:
      try killed(command("gc", "--max-count", "\(Int.random(in: 0..<Self.keys, using: &random))"))
    case 3: try killed(command("compact"))
    case 4: try note(command("verify").run(), allowed: [0])
    default: try collect()
    }
  }

  /// Lets the users finish, and cleans as a person would after the storm.
  func settle() throws {
    for user in users { note(try user.wait(), allowed: [0]) }
    users = []
    note(try command("gc", "--full", "--max-count", "\(Self.keys)").run(), allowed: [0])
  }

  /// Reads every key; throws where one is neither whole nor absent.
  func checkEveryKey() throws {
    try Command(bench, ["check", root, "\(Self.keys)"]).succeed()
  }

  func command(_ words: String...) -> Command {
    Command(Repository.cachectl, ["--root", root] + words)
  }

  private func addUser() throws {
    let seed = UInt64.random(in: 0...UInt64.max, using: &random)
    users.append(try Command(bench, ["churn", root, "\(Self.keys)", "\(seed)"]).start())
  }

  private func replaceUser() throws {
    let user = users.remove(at: Int.random(in: 0..<users.count, using: &random))
    user.signal(SIGKILL)
    note(try user.wait(), allowed: [128 + SIGKILL])
    try addUser()
  }

  /// Two collectors at once: one may find the other busy (5).
  private func collect() throws {
    let count = "\(Int.random(in: 0..<Self.keys, using: &random))"
    let first = try command("gc", "--max-count", count).start()
    // Beside writers the budget may be passed again before the end (4).
    note(try command("gc", "--max-count", count).run(), allowed: [0, 4, 5])
    note(try first.wait(), allowed: [0, 4, 5])
  }

  private func killed(_ command: Command) throws {
    let running = try command.start()
    usleep(UInt32.random(in: 0..<30_000, using: &random))
    running.signal(SIGKILL)
    note(try running.wait(), allowed: [0, 4, 5, 128 + SIGKILL])
  }

  private func removeByHand() {
    let shard = root + "/objects/" + hexadecimal(Int.random(in: 0..<256, using: &random))
    let names = (try? FileManager.default.contentsOfDirectory(atPath: shard)) ?? []
    guard let name = names.randomElement(using: &random) else { return }
    unlink(shard + "/" + name)
  }

  private func hexadecimal(_ byte: Int) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  private func note(_ result: CommandResult, allowed: Set<Int32>) {
    guard !allowed.contains(result.status) else { return }
    findings.append("\(result.ending): \(result.output)\(result.errors)")
  }
}
