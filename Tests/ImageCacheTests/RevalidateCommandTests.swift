import CacheModel
import CacheStore
import Foundation
import TestSupport
import Testing

@Suite("The commands and a real nginx", .timeLimit(.minutes(5)), .serialized)
struct RevalidateCommandTests {
  private static let count = 60

  private func command(_ cache: OriginCache, _ words: String...) -> Command {
    command(cache, words)
  }

  private func command(_ cache: OriginCache, _ words: [String]) -> Command {
    Command(
      Repository.cachectl,
      ["--root", cache.store.path] + words + ["--allow-net", "127.0.0.0/8", "--allow-net", "::1"])
  }

  private func json(_ text: String) throws -> [String: Any] {
    let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return try #require(parsed as? [String: Any])
  }

  @Test("requests, 304s, 200s and bytes are what nginx's own log says", arguments: [false, true])
  func counts(isSecure: Bool) throws {
    let nginx = try NginxOrigin()
    let cache = try OriginCache()
    let names = (0..<Self.count).map { "\($0).gif" }
    for name in names { try nginx.put(name, gif(name)) }
    let urls = names.map { isSecure ? nginx.secureURL("/" + $0) : nginx.url("/" + $0) }
    let bundle = ["--ca-bundle", nginx.authority]
    var fill = command(cache, "fetch")
    fill.arguments += bundle + urls
    try fill.succeed()
    for number in [3, 7, 11] { try nginx.put(names[number], gif("another \(number)")) }
    try Command("rm", [nginx.documents.appendingPathComponent(names[20]).path]).succeed()
    try nginx.put(names[21], Array("<html>moved</html>".utf8))

    var run = command(cache, "--json", "revalidate", "--all", "--retries", "0")
    run.arguments += bundle
    let result = try run.run()
    let report = try json(result.output)
    #expect(result.status == 3)
    let expected = [
      "asked": Self.count, "not_modified": Self.count - 5, "replaced": 3, "gone": 1, "failed": 1,
      "kept": 2, "unchanged": 0, "skipped": 0, "requests": Self.count,
    ]
    for (name, number) in expected { #expect(report[name] as? Int == number, "\(name)") }
    let log = try nginx.log().dropFirst(Self.count)
    #expect(log.count == Self.count)
    #expect(log.allSatisfy { $0.hasPrefix(isSecure ? "HTTP/2.0" : "HTTP/1.1") })
    #expect(log.filter { $0.contains(" 304 0 ") }.count == Self.count - 5)
    #expect(log.filter { $0.contains(" 200 ") }.count == 4)
    try Command.cachectl("--root", cache.store.path, "verify").succeed()
    try expectValid(result.output)
  }

  /// Validates a document by its schema, as any consumer would.
  private func expectValid(_ document: String) throws {
    let script = """
      import json, jsonschema, sys
      document = json.load(sys.stdin)
      name = document["schema"].removeprefix("cachectl.").replace("/", "-")
      schema = json.load(open(f"{sys.argv[1]}/{name}.json"))
      jsonschema.Draft202012Validator.check_schema(schema)
      jsonschema.Draft202012Validator(schema).validate(document)
      """
    var check = Command("python3", ["-W", "ignore", "-c", script, Repository.path("man/schema")])
    check.input = Array(document.utf8)
    try check.succeed()
  }

  @Test("every document of both commands is what its schema says")
  func documents() throws {
    let nginx = try NginxOrigin()
    let cache = try OriginCache()
    try nginx.put("a.gif", gif("a"))
    let url = nginx.url("/a.gif?token=secret")
    for words in [
      ["fetch", url, nginx.url("/none.gif")], ["fetch", "--head", url], ["fetch", url],
      ["revalidate", "--dry-run", "--all"], ["revalidate", "--all"],
      ["revalidate", "--all", "--host", "none.example"],
    ] {
      let result = try command(cache, ["--json"] + words).run()
      try expectValid(result.output)
      #expect(!result.output.contains("secret") && !result.errors.contains("secret"))
    }
  }

  @Test("private addresses are refused unless they are allowed")
  func addresses() throws {
    let origin = try RawOrigin(saying: "200 OK", body: gif("a"))
    let cache = try OriginCache()
    let result = try Command.cachectl("--root", cache.store.path, "fetch", origin.url()).run()
    #expect(result.status == 3 && result.errors.contains("127.0.0.1 is not allowed"))
    #expect(origin.connections == 0)
  }

  @Test("fetch writes the image where it is told")
  func output() throws {
    let origin = try RawOrigin(saying: "200 OK", body: gif("a"))
    let cache = try OriginCache()
    let folder = try TemporaryDirectory(in: "/dev/shm")
    let file = folder.appending("out.gif")
    try command(cache, "fetch", origin.url(), "-o", file).succeed()
    #expect(FileManager.default.contents(atPath: file).map(Array.init) == gif("a"))
    #expect(try cache.object(origin.url()) == gif("a"))
  }

  @Test("killed at any moment, every entry is whole, old or new, and the next run goes on")
  func kills() throws {
    let bodies = ["old", "new"].map { gif(String(repeating: $0, count: 20_000)) }
    let origin = try RawOrigin { request in
      // Half the images change with every answer; bodies come in pieces, so that kills meet them.
      let body = bodies[request.number % 2]
      let whole = answer("200 OK", ["ETag: \"\(request.number)\""], body: body)
      if request.number % 4 == 3 { return [.send(answer("304 Not Modified"))] }
      return [
        .send(Array(whole.prefix(30_000))), .pause(.milliseconds(1)),
        .send(Array(whole.dropFirst(30_000))),
      ]
    }
    let cache = try OriginCache()
    let urls = (0..<20).map { origin.url("/\($0)") }
    for url in urls { try cache.put(url, bodies[0]) }
    for round in 0..<100 {
      let run = try command(cache, "revalidate", "--all", "--quiet").start()
      usleep(UInt32(2000 + round * 1500))
      run.signal(SIGKILL)
      _ = try run.wait()
      for url in urls { #expect(bodies.contains(try #require(try cache.object(url)))) }
    }
    // Interrupted stores are reported and are no damage.
    try Command.cachectl("--root", cache.store.path, "verify").succeed()
    try command(cache, "revalidate", "--all", "--retries", "0").succeed()
    for url in urls {
      #expect(try cache.cost(url)?.hash == cache.store.contentHash(of: CacheKey(url).name))
    }
  }
}
