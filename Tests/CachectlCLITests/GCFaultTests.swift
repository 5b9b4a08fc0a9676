import CacheModel
import CacheStore
import Foundation
import TestSupport
import Testing

@Suite("gc when the kernel refuses")
struct GCFaultTests {
  let cache: TestCache
  let shim: FaultShim

  /// Ten entries, each in a shard of its own, the first one used longest ago.
  init() throws {
    cache = try TestCache()
    shim = try FaultShim.shared.get()
    let store = try Store(at: cache.root)
    for number in 0..<10 {
      var request = StoreRequest(key: try CacheKey("\(number)"))
      request.lastUse = Instant(milliseconds: 1_700_000_000_000 + Int64(number) * 1000)
      try store.put(Array("body \(number)".utf8), request, now: .now)
    }
    #expect(Set(try (0..<10).map { try CacheKey("\($0)").name.shard }).count == 10)
  }

  func present() throws -> [Int] {
    try (0..<10).filter { try exists(cache.object("\($0)")) }
  }

  func gc(_ words: String...) -> Command { cache.command(["--json", "gc"] + words) }

  @Test(
    "a victim that will not go is named, and the next one takes its place",
    arguments: ["EPERM", "EACCES", "EIO", "EROFS", "EBUSY"])
  func victim(error: String) throws {
    let result = try shim.run(
      gc("--max-count", "6"), .fail("unlink", error, count: 0), .onPath(cache.name("1")))
    let report = try result.json()
    #expect(result.status == 3 && report["met"] as? Bool == true, "\(result.output)")
    #expect(try present() == [1, 5, 6, 7, 8, 9])
    let failures = report.objects("failures")
    #expect(failures.map { $0["name"] as? String } == [try cache.name("1")])
    #expect((failures.first?["reason"] as? String)?.contains("(\(error))") == true)
    #expect(try cache.run("gc", "--max-count", "6").status == 0)
    #expect(try cache.run("verify", "--strict").status == 0)
  }

  @Test(
    "a shard that cannot be locked or read keeps its entry, which is named",
    arguments: [
      ("open", "lock", "EACCES"), ("lock", "lock", "EIO"), ("open", "cost.jsonl", "EIO"),
      ("open", "lock", "EMFILE"), ("read", "lock", "EIO"),
    ])
  func shard(fault: (call: String, file: String, error: String)) throws {
    let shard = try cache.name("1").prefix(2)
    let result = try shim.run(
      gc("--max-count", "6"), .fail(fault.call, fault.error, count: 0),
      .onPath("manifests/\(shard)/\(fault.file)"))
    #expect([3, 4].contains(result.status), "\(result.output)")
    #expect(result.output.contains("(\(fault.error))"), "\(result.output)")
    #expect(result.output.contains("manifests/\(shard)/\(fault.file)"), "\(result.output)")
    #expect(try present() == [1, 5, 6, 7, 8, 9])
    #expect(try cache.run("gc", "--max-count", "6").status == 0)
    #expect(try cache.run("verify", "--strict").status == 0)
  }

  @Test(
    "an object that cannot be looked at keeps its place in the order, and is named",
    arguments: ["EACCES", "EIO"])
  func look(error: String) throws {
    let result = try shim.run(
      gc("--max-count", "6"), .fail("stat", error, count: 0), .onPath(cache.name("1")))
    #expect(result.status == 3, "\(result.output)")
    #expect(
      try result.json().objects("failures").map { $0["name"] as? String } == [try cache.name("1")])
    #expect(try present() == [1, 5, 6, 7, 8, 9])
  }

  @Test(
    "removal goes on where its record cannot be written, and the next run settles it",
    arguments: ["cost.jsonl", "etag.jsonl", "evictions.jsonl", "gc.lock"])
  func record(file: String) throws {
    let result = try shim.run(
      gc("--max-count", "6"), .fail("write", "ENOSPC", count: 0), .onPath(file))
    #expect(result.status == 0, "\(result.output) \(result.errors)")
    #expect(try present() == [4, 5, 6, 7, 8, 9])
    #expect(try result.json().object("after").number("entries") == 6)
    let next = try gc("--max-count", "6").run()
    #expect(next.status == 0)
    #expect(try next.json().object("evicted").number("entries") == 0)
    #expect(try cache.run("verify", "--strict").status == 0)
  }

  @Test(
    "a directory or a manifest that cannot be read is told, and makes the status 3",
    arguments: [("open", "objects/"), ("open", "cost.jsonl"), ("read", "cost.jsonl")])
  func unreadable(call: (name: String, path: String)) throws {
    let shard = try cache.name("1").prefix(2)
    let path = call.path == "objects/" ? "objects/\(shard)" : "manifests/\(shard)/\(call.path)"
    let result = try shim.run(
      gc("-n", "--max-count", "6"), .fail(call.name, "EIO", count: 0), .onPath(path))
    #expect(result.status == 3, "\(result.output)")
    let problems = try result.json().objects("problems")
    #expect(problems.contains { ($0["path"] as? String)?.contains(path) == true }, "\(problems)")
    #expect(result.output.contains("Input/output error (EIO)"))
    #expect(try present().count == 10)
  }

  @Test("a signal while victims are being chosen ends the choosing, and nothing goes")
  func choosing() throws {
    let shim = try FaultShim.shared.get()
    // All ten are looked at before one of them goes.
    let faults: [FaultShim.Fault] = [.counting(["stat"]), .onPath("objects/")]
    let stopped = try shim.giving(
      faults + [.signal(SIGTERM, before: 3)], to: gc("--max-count", "0")
    ).run()
    #expect(stopped.status == 128 + SIGTERM)
    let report = try stopped.json()
    #expect(report.object("evicted").number("entries") == 0)
    #expect(report["met"] as? Bool == false)
    #expect(try present().count == 10)
    let looks = try shim.calls(of: gc("--max-count", "0"), faults[0], faults[1])
    #expect(looks.count > 10)
  }

  @Test("a tmp/ that cannot be listed does not cost the report of what was removed")
  func temporaries() throws {
    let result = try shim.run(
      gc("--max-count", "6"), .fail("open", "EIO", count: 0), .onPath("/tmp"))
    #expect(result.status == 3, "\(result.output) \(result.errors)")
    #expect(try present() == [4, 5, 6, 7, 8, 9])
    #expect(try result.json().object("evicted").number("entries") == 4)
    let problem = try #require(try result.json().objects("problems").first)
    #expect(problem["path"] as? String == "tmp")
    #expect(problem["detail"] as? String == "Input/output error (EIO)")
  }

  @Test("few descriptors make gc slower or incomplete, never wrong", arguments: [12, 16, 24, 48])
  func descriptors(limit: Int) throws {
    let words = ["--root", cache.root, "--json", "gc", "--max-count", "6"]
    let limited = Command(
      "sh", ["-c", "ulimit -n \(limit); exec \"$@\"", "sh", Repository.cachectl] + words)
    let result = try limited.run()
    #expect([0, 3, 4].contains(result.status), "\(result.errors)")
    #expect(try present().count >= 6)
    #expect(try gc("--max-count", "6").run().status == 0)
    #expect(try present().count == 6)
    #expect(try cache.run("verify", "--strict").status == 0)
  }

  @Test("leftovers of dead writers go when they are old; others stay")
  func leftovers() throws {
    let old = cache.root + "/tmp/old"
    let odd = cache.root + "/tmp/"
    try write([UInt8](repeating: 1, count: 1000), to: old)
    try Command("sh", ["-c", "printf x > \"$(printf \"$1\\377\\376\")\"", "sh", odd]).succeed()
    try write([1], to: cache.root + "/tmp/young")
    try write([1], to: cache.root + "/tmp/locked")
    try Command("sh", ["-c", "cd \"$1\"; touch -d '-2 hours' -- *; touch young", "sh", odd])
      .succeed()
    let lock = open(cache.root + "/tmp/locked", O_RDWR)
    #expect(flock(lock, LOCK_EX) == 0)
    defer { close(lock) }
    let report = try cache.json("gc", "--max-count", "10")
    #expect(report.number("leftovers") == 2 && report.number("leftover_bytes") == 1001)
    #expect(try names(cache.root + "/tmp") == ["locked", "young"])
  }
}
