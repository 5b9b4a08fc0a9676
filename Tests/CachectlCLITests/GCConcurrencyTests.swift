import CacheModel
import CacheStore
import Foundation
import TestSupport
import Testing

@Suite("gc beside other processes")
struct GCConcurrencyTests {
  let cache: TestCache

  init() throws { cache = try TestCache() }

  private func fill(_ count: Int, bytes: Int = 1000) throws {
    let store = try Store(at: cache.root)
    for number in 0..<count {
      var request = StoreRequest(key: try CacheKey("https://img.example/\(number).jpg"))
      request.lastUse = Instant(milliseconds: 1_700_000_000_000 + Int64(number))
      try store.put([UInt8](repeating: 1, count: bytes), request, now: .now)
    }
  }

  private func tree(_ name: String, _ count: Int) throws -> String {
    let path = cache.directory.appending(name)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    for number in 0..<count {
      try write(Array("\(name) \(number)".utf8), to: "\(path)/\(number).png")
    }
    return path
  }

  @Test("two processes that store 500 different keys each leave 1,000")
  func lostUpdates() throws {
    let trees = try ["a", "b"].map { try tree($0, 500) }
    let running = try trees.map { tree in
      try cache.command(["import", tree, "--base-url", "https://img.example/\(tree.suffix(1))"])
        .start()
    }
    for process in running { #expect(try process.wait().status == 0) }
    #expect(
      try cache.json("stat").object("usage").number("entries") ?? cache.objects().count == 1000)
    #expect(try cache.run("verify", "--strict").status == 0)
    #expect(try cache.objects().count == 1000)
  }

  @Test("two gcs at once end near the budget: one waits, or finds the other busy")
  func twoAtOnce() throws {
    for wait in ["0s", "60s"] {
      try fill(400)
      let words = ["--json", "gc", "--max-size", "200000", "--wait", wait]
      let running = try (0..<2).map { _ in try cache.command(words).start() }
      let results = try running.map { try $0.wait() }
      #expect(results.contains { $0.status == 0 })
      #expect(
        results.allSatisfy { $0.status == 0 || (wait == "0s" && $0.status == 5) },
        "\(results.map(\.errors))")
      #expect(try cache.objects().count == 200)
      let evicted = try results.filter { $0.status == 0 }.reduce(0) {
        try $0 + ($1.json().object("evicted").number("entries") ?? 0)
      }
      #expect(evicted == 200)
    }
  }

  @Test("a run that holds the lock is named, with its process, and its death frees the lock")
  func busy() throws {
    try fill(3)
    let shim = try FaultShim.shared.get()
    let gc = cache.command(["gc", "--max-count", "1"])
    let holder = try shim.giving([.counting(["unlink"]), .signal(SIGSTOP, before: 1)], to: gc)
      .start()
    try holder.waitUntilStopped()
    let refused = try gc.run()
    #expect(refused.status == 5)
    #expect(refused.errors.contains("process \(holder.process) on "), "\(refused.errors)")
    #expect(try cache.run("gc", "-n", "--max-count", "1").status == 0)
    holder.signal(SIGKILL)
    _ = try holder.wait()
    #expect(try gc.run().status == 0)
    #expect(try cache.objects().count == 1)
  }

  @Test("a gc that is killed at any removal is continued by the next one")
  func killed() throws {
    let shim = try FaultShim.shared.get()
    for removal in [1, 5, 19] {
      try fill(30)
      let gc = cache.command(["gc", "--max-count", "10"])
      let cut = try shim.giving([.counting(["unlink"]), .exitBefore(removal)], to: gc).run()
      #expect(cut.ending == .exited(137))
      #expect(try cache.objects().count >= 30 - removal)
      #expect(try gc.run().status == 0)
      #expect(try cache.objects().count == 10)
      #expect(try cache.run("verify", "--strict").status == 0)
    }
  }

  @Test(
    "a signal lets the step in hand be finished, recorded and reported",
    arguments: [SIGTERM, SIGINT])
  func signalled(number: Int32) throws {
    try fill(300)
    let running = try cache.command(["--json", "gc", "--max-count", "0", "--rate", "100"]).start()
    while try cache.objects().count > 295 { usleep(2000) }
    running.signal(number)
    let result = try running.wait()
    #expect(result.ending == .exited(128 + number))
    let evicted = try #require(try result.json().object("evicted").number("entries"))
    let left = try cache.objects().count
    #expect(evicted + left == 300 && left > 0)
    #expect(try cache.run("verify", "--strict").status == 0)
  }

  @Test("gc, writers and a removal by hand at once: no failure, no false finding, no half image")
  func everythingAtOnce() throws {
    let trees = try ["a", "b"].map { try tree($0, 300) }
    let end = Date().addingTimeInterval(4)
    var rounds = 0
    while Date() < end || rounds < 2 {
      rounds += 1
      let writers = try trees.map { tree in
        try cache.command(["import", tree, "--base-url", "https://img.example/\(tree.suffix(1))"])
          .start()
      }
      let finder = try Command(
        "find", [cache.root + "/objects", "-type", "f", "-name", "*\(rounds % 10)", "-delete"]
      ).start()
      let collectors = try (0..<2).map { _ in
        try cache.command(["--json", "gc", "--max-count", "150"]).start()
      }
      let verifier = try cache.command(["--json", "verify"]).start()
      try expectWholeOrAbsent(trees)
      for writer in writers { #expect(try writer.wait().status == 0) }
      // find may lose a race of its own, which it says.
      _ = try finder.wait()
      for collector in collectors {
        let result = try collector.wait()
        #expect([0, 4, 5].contains(result.status), "\(result.output) \(result.errors)")
        if result.status != 5 {
          let report = try result.json()
          #expect(report.number("damaged_lines") == 0 && report.objects("failures").isEmpty)
          #expect(report.objects("problems").isEmpty, "\(report.objects("problems"))")
        }
      }
      let verify = try verifier.wait()
      #expect(verify.status == 0, "\(verify.output)")
    }
    // find may have taken some after the last gc had counted them.
    for tree in trees {
      let base = "https://img.example/\(tree.suffix(1))"
      #expect(try cache.run("import", tree, "--base-url", base).status == 0)
    }
    #expect(try cache.run("gc", "--full", "--max-count", "150").status == 0)
    #expect(try cache.objects().count == 150)
    #expect(try cache.run("verify", "--strict").status == 0)
  }

  /// Readers see an image whole, or a miss.
  private func expectWholeOrAbsent(_ trees: [String]) throws {
    let store = try Store(at: cache.root, for: .reading)
    for number in 0..<300 {
      for tree in trees {
        let name = tree.suffix(1)
        let key = try CacheKey("https://img.example/\(name)/\(number).png")
        guard let object = store.get(key, touchAt: nil) else { continue }
        #expect(try object.bytes() == Array("\(name) \(number)".utf8))
      }
    }
  }
}
