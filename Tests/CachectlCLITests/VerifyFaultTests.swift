import Foundation
import TestSupport
import Testing

@Suite("Faults below verify") struct VerifyFaultTests {
  let shim: FaultShim

  init() throws { shim = try FaultShim.shared.get() }

  private func verify(
    _ cache: VerifyCase, _ faults: [FaultShim.Fault], _ words: String...
  ) throws -> CommandResult {
    let command = Command(Repository.cachectl, ["--root", cache.root, "--json", "verify"] + words)
    return try shim.giving(faults, to: command).run()
  }

  @Test("objects that the disk fails to give are unreadable, and all others are checked")
  func inputOutputError() throws {
    let cache = try VerifyCase(120)
    // Once for the first look, once for the second: an error that goes away is none.
    let result = try verify(
      cache, [.fail("read", "EIO", nth: 5, count: 0), .onPath("objects/")], "--jobs", "1")
    #expect(result.status == 3)
    #expect(Set(try cache.classes(result)) == ["unreadable"])
    let passing = try verify(cache, [.fail("read", "EIO", nth: 5), .onPath("objects/")])
    #expect(passing.status == 0)
  }

  @Test(
    "a manifest that the disk fails to give leaves its shard unchecked and unjudged",
    arguments: ["cost", "etag"])
  func manifestError(file: String) throws {
    let cache = try VerifyCase(120)
    let path = "manifests/\(try cache.name(1).prefix(2))/\(file)"
    let result = try verify(cache, [.fail("read", "EIO", nth: 1, count: 0), .onPath(path)])
    #expect(result.status == 3)
    #expect(try cache.classes(result) == ["unreadable"])
  }

  @Test(
    "without descriptors or memory nothing is damaged", arguments: ["EMFILE", "ENFILE", "ENOMEM"])
  func exhaustion(error: String) throws {
    let cache = try VerifyCase(120)
    let result = try verify(
      cache, [.fail("openat", error, nth: 30, count: 0), .onPath("objects/")])
    #expect(result.status == 3)
    #expect(Set(try cache.classes(result)) == ["unreadable"])
  }

  @Test("with sixteen descriptors everything is checked")
  func fewDescriptors() throws {
    let cache = try VerifyCase(300)
    let result = try Command(
      "sh",
      [
        "-c", "ulimit -n 16; exec \"$@\"", "sh", Repository.cachectl, "--root", cache.root,
        "--json", "verify",
      ]
    ).run()
    #expect(result.status == 0, "\(result.errors)")
    #expect((try result.json()["checked"] as? [String: Int])?["entries"] == 300)
  }

  @Test("an object that shrinks while it is read is cut short, and no crash")
  func shrinking() throws {
    let cache = try VerifyCase(1)
    var put = cache.command("put", "big", "-")
    put.input = [UInt8](repeating: 7, count: 1 << 20)
    try put.succeed()
    let name = String(
      try Command("sh", ["-c", "printf big | sha256sum"]).succeed().output.prefix(64))
    let running = try shim.giving(
      [.counting(["read"]), .onPath(name), .signal(SIGSTOP, before: 3)],
      to: cache.command("--json", "verify", "--jobs", "1")
    ).start()
    try running.waitUntilStopped()
    truncate("\(cache.root)/objects/\(name.prefix(2))/\(name)", 300_000)
    running.signal(SIGCONT)
    let result = try running.wait()
    #expect(result.status == 1)
    #expect(try cache.classes(result) == ["damaged"])
    #expect(result.output.contains("cut short: 300000 bytes, 1048576 recorded"))
  }

  @Test("a shard that vanishes while it is checked leaves the others checked")
  func vanishing() throws {
    let cache = try VerifyCase(120)
    let shard = "objects/\(try cache.name(1).prefix(2))"
    let running = try shim.giving(
      [.counting(["list"]), .onPath(shard), .signal(SIGSTOP, before: 1)],
      to: cache.command("--json", "verify", "--jobs", "1")
    ).start()
    try running.waitUntilStopped()
    try FileManager.default.removeItem(atPath: "\(cache.root)/\(shard)")
    running.signal(SIGCONT)
    let result = try running.wait()
    #expect(result.status == 3)
    #expect(Set(try cache.classes(result)) == ["unreadable"])
  }

  @Test("repair cut off at every call that changes the disk leaves nothing worse than it was")
  func cutRepair() throws {
    let cache = try broken()
    let words = ["--root", cache.root, "verify", "--repair", "quarantine"]
    let copy = cache.folder.appending("copy")
    try Command("cp", ["-a", cache.root, copy]).succeed()
    let log = cache.folder.appending("log")
    _ = try shim.giving([], to: Command(Repository.cachectl, words), log: log).run()
    let calls = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    // Between one shard's time and the next's nothing is repaired: of those the first stand for all.
    let times = calls.indices.filter { calls[$0].hasSuffix("state/verified") }.dropFirst(3)
    let ordinals = Set(calls.indices).subtracting(times).map { $0 + 1 }.sorted()
    #expect(ordinals.count > 8 && ordinals.count < 100)
    for ordinal in ordinals {
      try Command("rm", ["-rf", cache.root]).succeed()
      try Command("cp", ["-a", copy, cache.root]).succeed()
      _ = try shim.run(Command(Repository.cachectl, words), .exitBefore(ordinal))
      let after = try cache.command("--json", "verify").run()
      let classes = try cache.classes(after)
      #expect(classes.allSatisfy { ["damaged", "missing", "leftover"].contains($0) }, "\(ordinal)")
      #expect(classes.filter { $0 == "damaged" }.count <= 1, "\(ordinal)")
      let counts = try #require(try after.json()["counts"] as? [String: Int])
      #expect(counts["sound"] == 8, "\(ordinal)")
    }
  }

  private func broken() throws -> VerifyCase {
    let cache = try VerifyCase(10)
    try cache.damage(1)
    unlink(try cache.object(2))
    return cache
  }
}
