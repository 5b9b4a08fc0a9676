import CacheModel
import Foundation
import TestSupport

@testable import CacheStore

/// A small cache for commands that are cut off or refused by the kernel, and what may be in it
/// afterwards.
final class FaultCache {
  let fixture: CacheFixture
  var root: String { fixture.root }
  /// `printf k | sha256sum` begins with 82.
  static let key = "k"
  private static let others = ["one", "two", "three"]
  /// The shards of all that the jobs work on.
  let shards: Set<Shard>
  private let files: TemporaryDirectory
  private let configuration: [UInt8]

  init(_ configuration: Configuration = Configuration()) throws {
    fixture = try CacheFixture(configuration)
    files = try TemporaryDirectory(in: TemporaryDirectory.memory)
    self.configuration = try bytes(fixture.path("cachectl.json"))
    let all = [Self.key, "new", "tree/a.png", "tree/b.png"] + Self.others
    shards = Set(try all.map { try CacheKey($0).name.shard })
    try reset()
  }

  /// Four entries, `k` used longest ago and with a dead line in each manifest, and nothing else.
  func reset() throws {
    for shard in shards {
      for name in try names(fixture.path("objects/\(shard)")) {
        unlink(fixture.path("objects/\(shard)/\(name)"))
      }
      for path in [fixture.cost(shard), fixture.origin(shard)] { unlink(path) }
    }
    for folder in ["tmp", "state"] {
      for name in try names(fixture.path(folder)) { unlink(fixture.path("\(folder)/\(name)")) }
    }
    try write(configuration, to: fixture.path("cachectl.json"))
    for (index, key) in ([Self.key] + Self.others).enumerated() {
      var request = StoreRequest(key: try CacheKey(key))
      request.lastUse = Instant(milliseconds: Int64(1_700_000_000_000 + index))
      request.etag = "\"old\""
      if index == 0 { try fixture.put(request.key, "dead") }
      try fixture.store.put(Array("old \(key)".utf8), request, now: fixture.now)
    }
    for shard in shards { try fixture.store.settle(shard, now: .now) }
  }

  enum Job: String, CaseIterable, Sendable {
    case putNew, replaceSameLength, replaceLonger, remove, evict, compact, importTree, config
  }

  func command(_ job: Job) throws -> Command {
    let words: [String]
    switch job {
    case .putNew: words = ["put", "new", try image("new")]
    case .replaceSameLength: words = ["put", Self.key, try image("new k")]
    case .replaceLonger: words = ["put", Self.key, try image("a longer image")]
    case .remove: words = ["rm", Self.key]
    case .evict: words = ["gc", "--max-count", "2"]
    case .compact: words = ["compact"]
    case .importTree:
      try FileManager.default.createDirectory(
        atPath: files.appending("tree"), withIntermediateDirectories: true)
      for name in ["a.png", "b.png"] {
        try write(Array("tree \(name)".utf8), to: files.appending("tree/\(name)"))
      }
      words = ["import", files.appending("tree"), "--base-url", "tree"]
    case .config: words = ["config", "max-count", "77"]
    }
    return Command(Repository.cachectl, ["--root", root] + words)
  }

  private func image(_ body: String) throws -> String {
    try write(Array(body.utf8), to: files.appending("image"))
    return files.appending("image")
  }

  /// What an entry may hold before and after the job; nil for nothing.
  func allowed(_ job: Job) -> [String: Set<String?>] {
    var allowed: [String: Set<String?>] = ["k": ["old k"], "new": [nil]]
    for key in Self.others { allowed[key] = ["old \(key)"] }
    switch job {
    case .putNew: allowed["new"] = [nil, "new"]
    case .replaceSameLength: allowed["k"] = ["old k", "new k"]
    case .replaceLonger: allowed["k"] = ["old k", "a longer image"]
    case .remove: allowed["k"] = ["old k", nil]
    case .evict:
      allowed["k"] = ["old k", nil]
      allowed["one"] = ["old one", nil]
    case .importTree:
      allowed["tree/a.png"] = [nil, "tree a.png"]
      allowed["tree/b.png"] = [nil, "tree b.png"]
    case .compact, .config: break
    }
    return allowed
  }

  /// Every entry as another program reads it, compared with its record.
  func entries(_ job: Job) throws -> [String: String?] {
    let store = try fixture.reopened(for: .reading)
    var entries: [String: String?] = [:]
    for key in allowed(job).keys {
      let object = store.get(try CacheKey(key), touchAt: nil)
      entries[key] = .some(try object?.bytes().text)
    }
    return entries
  }

  /// The entries that are neither what they were nor what they were to become.
  func wrong(_ job: Job) throws -> [String] {
    let allowed = allowed(job)
    return try entries(job).filter { !(allowed[$0.key]?.contains($0.value) ?? false) }
      .map { "\($0.key): \($0.value ?? "nothing")" }
  }

  func run(_ words: String...) throws -> CommandResult {
    try Command(Repository.cachectl, ["--root", root] + words).run()
  }

  /// Lets everything in tmp/ look two hours old.
  func ageLeftovers() throws {
    for name in try names(root + "/tmp") {
      try Command("touch", ["-d", "-2 hours", root + "/tmp/" + name]).succeed()
    }
  }
}

extension [UInt8] {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
