import CacheModel
import CacheStore
import ImageCache
import TestSupport
import Testing

/// A program's own struct.
private struct Avatar: Persistable, Equatable {
  var user: String
  var width: Int64
  var isRound: Bool
  var pixels: [UInt8]

  init(user: String, width: Int64, isRound: Bool = true, pixels: [UInt8]) {
    (self.user, self.width, self.isRound, self.pixels) = (user, width, isRound, pixels)
  }

  static func key(_ user: String) -> String { "http://127.0.0.1:9/avatar/\(user)" }

  var cacheKey: String { Self.key(user) }

  var stored: StoredValue {
    StoredValue(
      pixels, type: "image/gif", cost: width * width,
      members: [
        .init("avatar_user", user), .init("avatar_width", width), .init("avatar_round", isRound),
      ])
  }

  init?(_ stored: StoredValue) {
    guard let user = stored.members["avatar_user"]?.text,
      let width = stored.members["avatar_width"]?.number,
      let isRound = stored.members["avatar_round"]?.truth
    else { return nil }
    self.init(user: user, width: width, isRound: isRound, pixels: stored.bytes)
  }
}

@Suite("Values of a program's own")
struct PersistableTests {
  private let cache: OriginCache
  private let images: ImageCache
  private let ada = Avatar(user: "ada \"\u{1F600}\"\n", width: 64, pixels: gif("a"))

  init() throws {
    cache = try OriginCache()
    images = cache.images()
  }

  @Test("a value is stored, found and deleted by its key")
  func roundTrip() throws {
    try images.store(ada)
    #expect(try images.find(Avatar.self, for: ada.cacheKey) == ada)
    #expect(try cache.cost(ada.cacheKey)?.cost == 4096)
    #expect(try images.delete(ada))
    #expect(try images.find(Avatar.self, for: ada.cacheKey) == nil)
    #expect(try !images.delete(ada))
  }

  @Test("a value that is not the stored one deletes it all the same: its key says which")
  func deleteByKey() throws {
    try images.store(ada)
    #expect(try images.delete(Avatar(user: ada.user, width: 1, pixels: [])))
    #expect(try images.find(Avatar.self, for: ada.cacheKey) == nil)
  }

  @Test("storing again replaces value, members and cost together")
  func replaced() throws {
    try images.store(ada)
    var larger = ada
    larger.width = 128
    larger.pixels = gif("another")
    try images.store(larger)
    #expect(try images.find(Avatar.self, for: ada.cacheKey) == larger)
    #expect(try cache.cost(ada.cacheKey)?.cost == 128 * 128)
  }

  @Test("the members outlive compaction and a revalidation by the command")
  func rewritten() throws {
    let origin = try RawOrigin(saying: "304 Not Modified", ["ETag: \"v2\""])
    let url = origin.url("/ada.gif")
    var request = StoreRequest(key: try CacheKey(url))
    request.etag = "\"v1\""
    request.others = ada.stored.members
    try images.put(ada.pixels, request)
    #expect(try cache.revalidate { $0.includesFresh = true }.counts.notModified == 1)
    try Command.cachectl("--root", cache.store.path, "compact").succeed()
    #expect(try cache.origin(url)?.etag == "\"v2\"")
    #expect(try images.find(Avatar.self, for: url) == ada)
  }

  @Test("what is no such value, or is damaged, reads as absent")
  func absent() throws {
    try cache.put("other", [1, 2, 3])
    #expect(try images.find(Avatar.self, for: "other") == nil)
    try images.store(ada)
    let path = cache.store.objectPath(of: try CacheKey(ada.cacheKey).name)
    try Command(
      "sh", ["-c", "printf x | dd of=\"$0\" bs=1 seek=20 conv=notrunc 2>/dev/null", path]
    )
    .succeed()
    #expect(try images.find(Avatar.self, for: ada.cacheKey) == nil)
  }

  @Test("a member with a name of the layout's own is refused, and nothing is stored")
  func reserved() throws {
    struct Wrong: Persistable {
      var cacheKey: String { "wrong" }
      var stored: StoredValue { StoredValue([1], members: [.init("etag", "mine")]) }
      init() {}
      init?(_ stored: StoredValue) { nil }
    }
    #expect(throws: StoreError.self) { try images.store(Wrong()) }
    #expect(try cache.object("wrong") == nil)
  }
}
