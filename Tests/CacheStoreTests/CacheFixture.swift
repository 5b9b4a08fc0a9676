import CacheModel
import Foundation
import TestSupport

@testable import CacheStore

/// A cache of the test's own, and its files as any other program sees them.
final class CacheFixture {
  let folder: TemporaryDirectory
  let root: String
  let store: Store
  /// The time that the fixture records; objects have the real one.
  let now = Instant(milliseconds: 1_764_480_000_123)

  init(_ configuration: Configuration = Configuration()) throws {
    folder = try TemporaryDirectory(in: TemporaryDirectory.memory)
    root = folder.appending("cache")
    store = try Store.create(at: root, configuration)
  }

  /// The same cache as another program would open it.
  func reopened(for access: Store.Access = .writing) throws -> Store {
    try Store(at: root, for: access)
  }

  @discardableResult
  func put(_ key: CacheKey, _ body: String, etag: String? = nil) throws -> CostRecord {
    var request = StoreRequest(key: key)
    request.etag = etag
    return try store.put(Array(body.utf8), request, now: now)
  }

  func text(_ key: CacheKey, check: Check = .presence) throws -> String? {
    guard let object = store.get(key, check: check, touchAt: nil) else { return nil }
    return String(decoding: try object.bytes(), as: UTF8.self)
  }

  func path(_ relative: String) -> String { root + "/" + relative }

  func object(_ key: CacheKey) -> String { path(Layout.object(key.name)) }

  func cost(_ shard: Shard) -> String { path(Layout.cost(shard)) }

  func origin(_ shard: Shard) -> String { path(Layout.origin(shard)) }

  func lock(_ shard: Shard) -> String { path(Layout.lock(shard)) }

  /// Whether the witness agrees with the disk, byte for byte as the layout has it.
  func isWitnessed(_ shard: Shard) throws -> Bool {
    let directory = try FileFacts(path(Layout.objects(shard)))
    let length = (try? FileFacts(cost(shard)).size) ?? 0
    return try contents(lock(shard)) == padded(directory.modified) + "\n" + padded(length) + "\n"
  }

  private func padded(_ number: Int64) -> String {
    let digits = String(number)
    return String(repeating: "0", count: 20 - digits.count) + digits
  }
}

/// Keys whose entries lie in one shard, in no order.
func keys(in shard: Shard, _ count: Int) throws -> [CacheKey] {
  var keys: [CacheKey] = []
  var number = 0
  while keys.count < count {
    let key = try CacheKey("https://img.example/picture-\(number).jpg")
    if key.name.shard == shard { keys.append(key) }
    number += 1
  }
  return keys
}
