import CacheModel
import CacheStore
import Foundation
import TestSupport
import Testing

@Suite("verify --repair refetch", .timeLimit(.minutes(2)))
struct RefetchCommandTests {
  /// A cache with a sound entry of the origin's and one whose bits changed.
  private func damaged(_ key: String, _ origin: RawOrigin) throws -> OriginCache {
    let cache = try OriginCache()
    try cache.put(origin.url("/sound"), gif("sound"))
    try cache.put(key, gif("right"))
    try Data(gif("wrong")).write(to: URL(fileURLWithPath: object(key, cache)))
    return cache
  }

  private func object(_ key: String, _ cache: OriginCache) throws -> String {
    cache.store.objectPath(of: try CacheKey(key).name)
  }

  private func command(_ cache: OriginCache, _ words: [String]) -> Command {
    Command(Repository.cachectl, ["--root", cache.store.path] + words)
  }

  private func verify(_ cache: OriginCache, _ words: String...) throws -> CommandResult {
    try command(cache, ["config", "--quiet", "allow-net", "127.0.0.1"]).succeed()
    return try command(cache, words + ["verify", "--repair", "refetch"]).run()
  }

  private func repaired(_ result: CommandResult) throws -> [String: Int] {
    let all = try result.json()["repaired"] as? [String: Any] ?? [:]
    return all.compactMapValues { $0 as? Int }.filter { $0.value != 0 }
  }

  @Test("what comes as it was recorded replaces it, and the damage was local")
  func restored() throws {
    let origin = try RawOrigin(saying: "200 OK", ["ETag: \"v1\""], body: gif("right"))
    let cache = try damaged(origin.url(), origin)
    let result = try verify(cache, "--json")
    #expect(result.status == 1)
    #expect(try repaired(result) == ["refetched": 1, "restored": 1])
    #expect(try cache.object(origin.url()) == gif("right"))
    // One request, and without a condition: a 304 would leave it damaged.
    #expect(origin.requests.map { $0.values("If-None-Match") } == [[]])
    let again = try verify(cache)
    #expect(again.status == 0 && again.output.contains("no errors found"))
  }

  @Test("what comes otherwise replaces it as well, with its validators")
  func replaced() throws {
    let origin = try RawOrigin(saying: "200 OK", ["ETag: \"v2\""], body: gif("another"))
    let cache = try damaged(origin.url(), origin)
    let result = try verify(cache)
    #expect(result.status == 1 && result.output.contains("repair: 1 fetched again\n"))
    #expect(try cache.object(origin.url()) == gif("another"))
    #expect(try cache.origin(origin.url())?.etag == "\"v2\"")
    #expect(try verify(cache).status == 0)
  }

  @Test(
    "what does not come leaves it as it was, and is counted with its reason",
    arguments: [
      ("503 Service Unavailable", "", "HTTP status 503"), ("404 Not Found", "", "HTTP status 404"),
      ("304 Not Modified", "", "HTTP status 304"), ("200 OK", "<html>moved</html>", "image"),
    ])
  func failing(status: String, body: String, reason: String) throws {
    let origin = try RawOrigin(saying: status, body: Array(body.utf8))
    let cache = try damaged(origin.url(), origin)
    let result = try verify(cache, "--json")
    #expect(result.status == 1)
    #expect(try result.json()["statuses"] as? [Int] == [1, 3])
    #expect(try repaired(result) == ["failed": 1])
    #expect(result.output.contains(reason))
    #expect(try cache.object(origin.url()) == gif("wrong"))
    #expect(try cache.leftovers().allSatisfy { !$0.contains("tmp") })
  }

  @Test("an entry whose key is no URL fails, and its reason says so")
  func withoutURL() throws {
    let origin = try RawOrigin(saying: "200 OK", body: gif("right"))
    let cache = try damaged("logo", origin)
    let result = try verify(cache)
    #expect(result.status == 1)
    #expect(result.output.contains("1 failed") && result.output.contains("where to ask for it"))
    #expect(origin.connections == 0)
  }

  @Test("an origin that may not be connected to is not, and the entry stays")
  func forbidden() throws {
    let origin = try RawOrigin(saying: "200 OK", body: gif("right"))
    let cache = try damaged(origin.url(), origin)
    let result = try command(cache, ["verify", "--repair", "refetch"]).run()
    #expect(result.status == 1 && result.output.contains("is not allowed"))
    #expect(origin.connections == 0)
    #expect(try cache.object(origin.url()) == gif("wrong"))
  }

  @Test("a saved error page is asked for again where images are checked")
  func errorPage() throws {
    let origin = try RawOrigin(saying: "200 OK", body: gif("right"))
    let cache = try OriginCache()
    try cache.put(origin.url(), Array("<html>sorry</html>".utf8))
    #expect(try verify(cache).status == 0)
    let words = ["--json", "verify", "--images", "--repair", "refetch"]
    let result = try command(cache, words).run()
    #expect(try repaired(result) == ["refetched": 1])
    #expect(try cache.object(origin.url()) == gif("right"))
  }
}
