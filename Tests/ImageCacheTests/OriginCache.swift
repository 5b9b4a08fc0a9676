import CacheFetch
import CacheModel
import CachePlan
import CacheStore
import Foundation
import ImageCache
import TestSupport

/// A cache of the test's own, and what is needed to look behind it.
final class OriginCache: Sendable {
  let directory: TemporaryDirectory
  let store: Store
  /// When the entries of ``put(_:_:_:)`` were stored and last used: an hour ago.
  let past = Instant(milliseconds: Instant.now.milliseconds - 3_600_000)

  init() throws {
    // A cache has hundreds of directories, which memory makes and removes at once.
    directory = try TemporaryDirectory(
      in: FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : nil)
    store = try Store.create(at: directory.appending("cache"), Configuration())
  }

  /// Stores an image an hour ago, stale since then.
  func put(_ url: String, _ bytes: [UInt8], _ change: (inout StoreRequest) -> Void = { _ in })
    throws
  {
    var request = StoreRequest(key: try CacheKey(url))
    request.etag = "\"v1\""
    request.type = "image/gif"
    request.lastUse = past
    change(&request)
    try store.put(bytes, request, now: past)
  }

  /// The tiers above the cache; whatever the machine runs short of, the test's images stay.
  func images(_ memory: MemoryLimits = MemoryLimits(cost: .megabytes(1))) -> ImageCache {
    ImageCache(store, settings(), memory: memory, underPressure: .keepImages)
  }

  func object(_ url: String) throws -> [UInt8]? {
    try store.get(try CacheKey(url), touchAt: nil)?.bytes()
  }

  func origin(_ url: String) throws -> OriginRecord? { try store.origin(of: CacheKey(url).name) }

  func cost(_ url: String) throws -> CostRecord? { try store.record(of: CacheKey(url).name) }

  /// Number and modification time of the object's inode.
  func inode(_ url: String) throws -> [String] {
    let path = store.objectPath(of: try CacheKey(url).name)
    return try Command("stat", ["-c", "%i %Y", path]).succeed().output
      .split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// A manifest as it is.
  func manifest(_ url: String, _ file: String) throws -> String {
    let shard = "\(try CacheKey(url).name.shard)"
    return try String(
      contentsOfFile: store.path + "/manifests/\(shard)/\(file)", encoding: .utf8)
  }

  func lines(_ url: String, _ file: String) throws -> Int {
    try manifest(url, file).split(separator: "\n").count
  }

  /// What is in tmp/ and state/.
  func leftovers() throws -> [String] {
    try ["tmp", "state"].flatMap {
      try FileManager.default.contentsOfDirectory(atPath: store.path + "/" + $0)
    }
  }

  func revalidate(
    _ settings: FetchSettings = settings(), _ change: (inout RevalidationOptions) -> Void = { _ in }
  ) throws -> RevalidationResult {
    var options = RevalidationOptions(now: .now)
    change(&options)
    return try Revalidation(store, options).run(settings)
  }
}

/// Settings for origins on the loopback: nothing is repeated.
func settings(_ change: (inout FetchSettings) -> Void = { _ in }) -> FetchSettings {
  var settings = FetchSettings(userAgent: "tests")
  settings.addresses.allowed = ["127.0.0.1"].compactMap(HTTPNetwork.init)
  settings.retry.times = 0
  settings.limits.deadline = .seconds(30)
  change(&settings)
  return settings
}

/// A whole GIF of one pixel; the text makes it differ from others, and longer.
func gif(_ text: String) -> [UInt8] {
  var bytes = Array("GIF89a".utf8)
  bytes += [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF]
  for start in stride(from: 0, to: text.utf8.count, by: 255) {
    let piece = text.utf8.dropFirst(start).prefix(255)
    bytes += [0x21, 0xFE, UInt8(piece.count)] + piece + [0]
  }
  return bytes + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
}

/// An answer of the usual form, its body bytes.
func answer(_ status: String, _ fields: [String] = [], body: [UInt8] = []) -> [UInt8] {
  let all = ["HTTP/1.1 " + status, "Content-Length: \(body.count)"] + fields
  return Array((all.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
}

extension RawOrigin {
  /// An origin that gives the same answer to everything.
  convenience init(saying status: String, _ fields: [String] = [], body: [UInt8] = []) throws {
    let bytes = answer(status, fields, body: body)
    try self.init { _ in [.send(bytes)] }
  }
}
