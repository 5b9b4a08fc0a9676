import Foundation
import TestSupport
import Testing

@Suite("The exit status of verify") struct VerifyStatusTests {
  @Test("a sound cache is 0 and says so; damage is 1 and is named, whether once or many times")
  func damage() throws {
    let cache = try VerifyCase(300)
    let sound = try cache.verify()
    #expect(sound.status == 0 && sound.output.contains("no errors found"))
    try cache.damage(7)
    let once = try cache.verify()
    #expect(once.status == 1 && once.output.contains(cache.key(7)))
    for index in 0..<256 { try Data([1]).write(to: URL(fileURLWithPath: cache.object(index))) }
    let often = try cache.verify()
    #expect(often.status == 1 && often.output.contains("256 damaged"))
  }

  @Test("what crashes leave behind is reported and is 0, with --strict 1")
  func strict() throws {
    let cache = try VerifyCase()
    unlink(try cache.object(1))
    let result = try cache.verify()
    #expect(result.status == 0 && result.output.contains("missing: \(cache.key(1))"))
    #expect(!result.output.contains("no errors found"))
    #expect(try cache.verify("--strict").status == 1)
  }

  @Test("for another user, what may not be read is unreadable, never damaged, and the status 3")
  func unreadable() throws {
    let cache = try VerifyCase(40, "--shared", "all")
    try Command("chmod", ["755", cache.folder.path]).succeed()
    chmod(try cache.object(3), 0)
    let words = [
      "--reuid=65534", "--regid=65534", "--clear-groups", Repository.cachectl, "--root", cache.root,
    ]
    let result = try Command("setpriv", words + ["verify"]).run()
    #expect(result.status == 3)
    #expect(result.output.contains("unreadable: \(cache.key(3))"))
    #expect(result.output.contains("incomplete") && !result.output.contains("no errors found"))
    let json = try Command("setpriv", words + ["--json", "verify"]).run()
    #expect(try cache.classes(json) == ["unreadable"])
    #expect(try json.json()["complete"] as? Bool == false)
    try cache.damage(4)
    let both = try Command("setpriv", words + ["--json", "verify"]).run()
    #expect(both.status == 1)
    #expect(try both.json()["statuses"] as? [Int] == [1, 3])
  }

  @Test("without the right to write, results are not kept, which is said, and the rest works")
  func reader() throws {
    let cache = try VerifyCase(40, "--shared", "group")
    try Command("chmod", ["-R", "a+rX,go-w", cache.folder.path]).succeed()
    let words = [
      "--reuid=65534", "--regid=65534", "--clear-groups", Repository.cachectl, "--root", cache.root,
    ]
    let result = try Command("setpriv", words + ["verify"]).run()
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.errors.contains("results are not kept"))
  }

  @Test("a read-only mount is checked like any other", .needsMounts)
  func readOnly() throws {
    let device = try LoopDevice(.ext4, mebibytes: 32)
    let cache = try VerifyCase(40, in: device.path)
    try cache.damage(5)
    try device.remount("ro")
    let result = try cache.verify()
    #expect(result.status == 1 && result.output.contains("1 damaged"))
    #expect(result.errors.contains("results are not kept"))
    try device.remount("rw")
  }

  @Test("a second run beside one that keeps results is busy, and waits where told")
  func busy() throws {
    let cache = try VerifyCase()
    let holder = try Command("flock", [cache.root + "/state/verify.lock", "sleep", "1"]).start()
    while try Command("flock", ["-n", cache.root + "/state/verify.lock", "true"]).run().status == 0
    {}
    #expect(try cache.verify().status == 5)
    #expect(try cache.verify("--wait", "20s").status == 0)
    #expect(try holder.wait().status == 0)
  }

  @Test("what does not go together or is not there yet is a usage error before anything is done")
  func usage() throws {
    let cache = try VerifyCase(1)
    for words in [
      ["--repair", "again"], ["--sample", "101%"], ["--coverage", "99%"], ["--rate", "0"],
      ["--only-failed", "--sample", "5%"], ["--format", "xml"],
      ["--list", "-", "--format", "json"],
    ] {
      let result = try Command(Repository.cachectl, ["--root", cache.root, "verify"] + words).run()
      #expect(result.status == 2 && result.output.isEmpty, "\(words)")
    }
    #expect(try Command.cachectl("--root", cache.folder.path, "verify").run().status == 6)
  }

  @Test("a promise that is not kept is 1, and one that is kept 0")
  func promise() throws {
    let cache = try VerifyCase(100)
    let broken = try cache.verify("--coverage", "99%/7d", "--max-duration", "0s")
    #expect(broken.status == 1 && broken.output.contains("not kept"))
    let kept = try cache.verify("--coverage", "99%/7d")
    #expect(kept.status == 0 && kept.output.contains(": kept"))
    #expect(try cache.verify("--coverage", "99%/7d", "--max-duration", "0s").status == 0)
  }

  @Test("a signal ends it with 128+N, and what was found is reported")
  func signal() throws {
    let cache = try VerifyCase(200)
    try cache.damage(1)
    let shim = try FaultShim.shared.get()
    let running = try shim.giving(
      [.counting(["close"]), .onPath("objects/"), .signal(SIGTERM, before: 60)],
      to: cache.command("--json", "verify", "--jobs", "1")
    ).start()
    let result = try running.wait()
    #expect(result.status == 128 + SIGTERM)
    #expect(try result.json()["complete"] as? Bool == false)
  }
}
