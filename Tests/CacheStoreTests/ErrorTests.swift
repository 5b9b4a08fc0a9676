import CacheModel
import Foundation
import TestSupport
import Testing

@testable import CacheStore

/// Calls that the kernel refuses, injected below the API of the real command.
@Suite("When the kernel refuses")
struct ErrorTests {
  let shim: FaultShim

  init() throws { shim = try FaultShim.shared.get() }

  /// Which calls of a store can fail, where, and what the message names.
  ///
  /// All of these lead to status 3 and leave the cache as it was.
  static let ofPut: [(call: String, path: String, named: String)] = [
    ("open", "/tmp/", "tmp"), ("write", "/tmp/", "objects/82/"),
    ("open", "82/lock", "manifests/82/lock"),
    ("lock", "82/lock", "manifests/82/lock"), ("read", "82/lock", "manifests/82/lock"),
    ("open", "etag.jsonl", "manifests/82/etag.jsonl"),
    ("write", "etag.jsonl", "manifests/82/etag.jsonl"),
    ("open", "cost.jsonl", "manifests/82/cost.jsonl"),
    ("write", "cost.jsonl", "manifests/82/cost.jsonl"), ("rename", "objects/82", "objects/82/"),
  ]

  @Test(
    "a store fails with the path and the reason, and the cache is as before",
    arguments: [
      ("ENOSPC", "No space left on device"), ("EIO", "Input/output error"),
      ("EDQUOT", "Disk quota exceeded"), ("EROFS", "Read-only file system"),
      ("EMFILE", "Too many open files"),
    ])
  func put(error: (symbol: String, text: String)) throws {
    let cache = try FaultCache()
    let before = try TreeSnapshot(cache.root + "/objects")
    for (call, path, named) in Self.ofPut {
      let context = "\(call) \(path) \(error.symbol)"
      let result = try shim.run(
        cache.command(.replaceSameLength), .fail(call, error.symbol, count: 0), .onPath(path))
      #expect(result.status == 3, "\(context): \(result.errors)")
      #expect(
        result.errors.contains("\(error.text) (\(error.symbol))"), "\(context): \(result.errors)")
      #expect(result.errors.contains(named), "\(context): \(result.errors)")
      #expect(try TreeSnapshot(cache.root + "/objects") == before, "\(context)")
      #expect(try names(cache.root + "/tmp") == [], "\(context)")
      let verify = try cache.run("verify", "--strict")
      #expect(verify.status == 0, "\(context): \(verify.output)")
      #expect(
        try cache.fixture.store.origin(of: CacheKey("k").name)?.etag == "\"old\"", "\(context)")
    }
    #expect(try cache.run("gc", "--max-count", "1000").status == 0)
    #expect(try cache.fixture.isWitnessed(Shard(0x82)))
  }

  @Test("a store whose last step alone fails is in the cache, and costs a listing")
  func lastStep() throws {
    let cache = try FaultCache()
    // The one write to the lock sets the witness.
    let result = try shim.run(
      cache.command(.replaceSameLength), .fail("pwrite", "EIO", nth: 1), .onPath("82/lock"))
    #expect(result.status == 0)
    #expect(try cache.fixture.text(CacheKey("k"), check: .content) == "new k")
    #expect(try !cache.fixture.isWitnessed(Shard(0x82)))
    #expect(try cache.run("gc", "--max-count", "1000").status == 0)
    #expect(try cache.fixture.isWitnessed(Shard(0x82)))
  }

  @Test(
    "a sync that fails is told, wherever it is",
    arguments: ["/tmp/", "etag.jsonl", "cost.jsonl", "objects/82"])
  func sync(path: String) throws {
    let cache = try FaultCache(Configuration(isDurable: true))
    let result = try shim.run(
      cache.command(.replaceSameLength), .fail("sync", "EIO"), .onPath(path))
    #expect(
      result.status == 3 && result.errors.contains("Input/output error (EIO)"), "\(result.errors)")
    #expect(try cache.wrong(.replaceSameLength) == [])
    #expect(try cache.run("verify", "--strict").status == 0)
  }

  @Test("a mount without locks is used without", arguments: ["ENOLCK", "EOPNOTSUPP"])
  func noLocks(error: String) throws {
    let cache = try FaultCache()
    for job in FaultCache.Job.allCases where job != .config {
      let result = try shim.run(cache.command(job), .fail("flock", error, count: 0))
      #expect(result.status == 0, "\(job): \(result.errors)")
    }
    #expect(try cache.run("verify", "--strict").status == 0)
  }

  @Test("writes that the kernel takes in small pieces are written whole")
  func shortWrites() throws {
    let cache = try FaultCache()
    for job in FaultCache.Job.allCases {
      #expect(try shim.run(cache.command(job), .short(7)).status == 0, "\(job)")
    }
    #expect(try cache.run("verify", "--strict").status == 0)
    #expect(try cache.fixture.text(CacheKey("new"), check: .content) == "new")
  }

  @Test(
    "a compaction that fails leaves the manifests as they were",
    arguments: [
      ("write", "/tmp/"), ("sync", "/tmp/"), ("rename", "cost.jsonl"), ("rename", "etag.jsonl"),
      ("open", "/tmp/"),
    ],
    ["ENOSPC", "EIO"])
  func compact(call: (name: String, path: String), error: String) throws {
    let cache = try FaultCache()
    let key = try CacheKey("k")
    let result = try shim.run(
      cache.command(.compact), .fail(call.name, error, count: 0), .onPath(call.path))
    #expect(result.status == 3 && result.errors.contains("(\(error))"), "\(result.errors)")
    #expect(result.errors.contains("manifests/82"))
    #expect(try cache.fixture.store.record(of: key.name)?.bytes == 5)
    #expect(try cache.fixture.store.origin(of: key.name)?.etag == "\"old\"")
    #expect(try names(cache.root + "/tmp") == [])
    #expect(try cache.run("verify", "--strict").status == 0)
  }

  @Test(
    "a policy that cannot be written stays as it was",
    arguments: [("write", "/tmp/"), ("sync", "/tmp/"), ("rename", "cachectl.json")])
  func config(call: (name: String, path: String)) throws {
    let cache = try FaultCache()
    let before = try bytes(cache.root + "/cachectl.json")
    let result = try shim.run(
      cache.command(.config), .fail(call.name, "ENOSPC"), .onPath(call.path))
    #expect(result.status == 3 && result.errors.contains("cachectl.json"), "\(result.errors)")
    #expect(try bytes(cache.root + "/cachectl.json") == before)
    #expect(try names(cache.root + "/tmp") == [])
  }
}
