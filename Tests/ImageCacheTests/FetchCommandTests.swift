import CacheModel
import CacheStore
import Foundation
import TestSupport
import Testing

@Suite("The commands beside others, through proxies and under a policy", .timeLimit(.minutes(3)))
struct FetchCommandTests {
  private let toLoopback = ["--allow-net", "127.0.0.1", "--retries", "0"]

  private func command(_ cache: OriginCache, _ words: String...) -> Command {
    Command(Repository.cachectl, ["--root", cache.store.path] + words)
  }

  @Test("of many processes that want one image, one asks and all get it")
  func stampede() throws {
    let origin = try RawOrigin { _ in
      [
        .pause(.seconds(2)),
        .send(answer("200 OK", ["Cache-Control: max-age=60"], body: gif("a"))),
      ]
    }
    let cache = try OriginCache()
    let running = try (0..<12).map { number in
      let file = cache.directory.appending("\(number)")
      var fetch = command(cache, "fetch", origin.url(), "-o", file)
      fetch.arguments += toLoopback
      return (file, try fetch.start())
    }
    for (file, command) in running {
      let result = try command.wait()
      #expect(result.status == 0, "\(result.errors)")
      #expect(FileManager.default.contents(atPath: file).map(Array.init) == gif("a"))
    }
    #expect(origin.requests.count == 1)
    #expect(try cache.leftovers() == [])
  }

  @Test("SIGTERM ends a revalidation with 143: what was answered is recorded and reported")
  func stopped() throws {
    let origin = try RawOrigin { request in
      request.number < 5
        ? [.send(answer("304 Not Modified", ["Cache-Control: max-age=600"]))] : [.silence]
    }
    let cache = try OriginCache()
    let urls = (0..<9).map { origin.url("/\($0)") }
    for url in urls { try cache.put(url, gif("a")) }
    var run = command(cache, "--json", "revalidate", "--jobs", "1")
    run.arguments += toLoopback
    let running = try run.start()
    while origin.requests.count < 6 { usleep(1000) }
    running.signal(SIGTERM)
    let result = try running.wait()
    #expect(result.status == 128 + SIGTERM)
    let report = try result.json()
    #expect(report["complete"] as? Bool == false && report["not_modified"] as? Int == 5)
    #expect(report["asked"] as? Int == 5 && report["skipped"] as? Int == 4)
    let checked = try urls.filter { try #require(try cache.origin($0)).checked > cache.past }
    #expect(checked.count == 5)
    let rest = try command(cache, "--json", "revalidate", "--dry-run").succeed().json()
    #expect((rest["entries"] as? [Any])?.count == 4)
  }

  @Test("a proxy is asked where it was told, and the environment's only with env")
  func proxy() throws {
    let proxy = try RawOrigin(saying: "200 OK", body: gif("a"))
    let address = "http://127.0.0.1:\(proxy.port)"
    let cache = try OriginCache()
    for (number, words) in [["--proxy", address], ["--proxy", "env"], []].enumerated() {
      var fetch = command(cache, "fetch", "http://img.invalid/\(number).gif", "--retries", "0")
      fetch.arguments += words
      fetch.environment = ["http_proxy": address]
      #expect(try fetch.run().status == (words.isEmpty ? 3 : 0), "\(words)")
    }
    #expect(proxy.requests.map(\.target) == (0..<2).map { "http://img.invalid/\($0).gif" })
  }

  @Test("the cache's policy allows a private network as --allow-net does")
  func allowedByPolicy() throws {
    let origin = try RawOrigin(saying: "200 OK", body: gif("a"))
    let cache = try OriginCache()
    #expect(try command(cache, "fetch", origin.url()).run().status == 3)
    try command(cache, "config", "allow-net", "10.0.0.0/8 127.0.0.0/8").succeed()
    try command(cache, "fetch", origin.url()).succeed()
    #expect(origin.requests.count == 1)
    try command(cache, "config", "allow-net", "none").succeed()
    #expect(try command(cache, "revalidate").run().status == 3)
  }

  @Test(
    "s-maxage counts where the cache is configured as shared, and only there (RFC 9111, 5.2.2.10)",
    arguments: [("private", 2), ("shared", 1)])
  func audience(_ audience: String, requests: Int) throws {
    let origin = try RawOrigin(
      saying: "200 OK", ["Cache-Control: max-age=0, s-maxage=600"], body: gif("a"))
    let cache = try OriginCache()
    try command(cache, "config", "audience", audience).succeed()
    for _ in 0..<2 {
      var fetch = command(cache, "fetch", origin.url())
      fetch.arguments += toLoopback
      try fetch.succeed()
    }
    #expect(origin.requests.count == requests)
    let stale = try command(cache, "--json", "revalidate", "--dry-run").succeed().json()
    #expect((stale["entries"] as? [Any])?.count == requests - 1)
  }

  @Test("an open file is added to, however it is named; what is a file by its name is replaced")
  func descriptors() throws {
    let origin = try RawOrigin(
      saying: "200 OK", ["Cache-Control: max-age=60"], body: gif("a"))
    let cache = try OriginCache()
    let file = cache.directory.appending("log")
    let link = cache.directory.appending("link")
    try Command("ln", ["-s", "/proc/self/fd/1", link]).succeed()
    for path in ["/dev/stdout", "/proc/self/fd/1", link] {
      try Data("before".utf8).write(to: URL(fileURLWithPath: file))
      let script = """
        "$1" --root "$2" --quiet fetch "$3" -o "$4" --allow-net 127.0.0.1 >> "$5"
        """
      let words = [Repository.cachectl, cache.store.path, origin.url(), path, file]
      try Command("sh", ["-c", script, "sh"] + words).succeed()
      let written = FileManager.default.contents(atPath: file).map(Array.init)
      #expect(written == Array("before".utf8) + gif("a"), "\(path)")
    }
    let plain = cache.directory.appending("plain")
    try Data("before".utf8).write(to: URL(fileURLWithPath: plain))
    try command(cache, "fetch", origin.url(), "-o", plain).succeed()
    #expect(FileManager.default.contents(atPath: plain).map(Array.init) == gif("a"))
  }
}
