import Foundation
import TestSupport
import Testing

@Suite("put and get") struct PutGetTests {
  let cache: TestCache

  init() throws { cache = try TestCache() }

  static let hostileKeys = [
    "https://img.example/a.jpg?w=200", "plain", "../../etc/passwd", "/absolute", "-dash",
    "a b\t'\"$`\\",
    "https://img.example/a.jpg\naccept=image/webp", "bell\u{7}\u{1b}[2J", "ümlaut ☃", "%00",
    String(repeating: "k", count: 8192),
  ]

  @Test("an image comes back as it went in, whatever its key", arguments: hostileKeys)
  func roundTrip(_ key: String) throws {
    try cache.succeed("put", "--", key, "-", input: Sample.gif)
    #expect(try cache.succeed("get", "--", key).outputBytes == Sample.gif)
    #expect(try cache.objects().count == 1)
  }

  @Test(
    "a body of any length comes back: empty, one byte, around the chunk and megabytes",
    arguments: [0, 1, 4095, 4096, 4097, 262_143, 262_144, 262_145, 3_000_000])
  func lengths(_ length: Int) throws {
    let body = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
    try cache.put("k", body)
    #expect(try cache.succeed("get", "k").outputBytes == body)
  }

  @Test("the name is the SHA-256 of the key, as sha256sum prints it")
  func name() throws {
    var sum = Command("sha256sum")
    sum.input = Array("https://img.example/a.jpg".utf8)
    #expect(try sum.succeed().output.prefix(64) == cache.name("HTTPS://IMG.example:443/a.jpg#top"))
  }

  @Test("the object is the bytes and nothing else, and its hash is what xxhsum prints")
  func object() throws {
    try cache.put("k20", Array("k20".utf8))
    #expect(try bytes(of: cache.object("k20")) == Array("k20".utf8))
    let sum = try Command("xxhsum", ["-H2", cache.object("k20")]).succeed().output.prefix(32)
    #expect(try cache.json("show", "k20")["recorded_xxh128"] as? String == String(sum))
  }

  @Test("the type is told from the content, or given")
  func type() throws {
    try cache.put("png", Sample.png)
    try cache.put("html", Array("<html>".utf8))
    try cache.put("given", Sample.png, "--type", "image/x-other")
    #expect(try cache.json("show", "png")["type"] as? String == "image/png")
    #expect(try cache.json("show", "html")["type"] is NSNull)
    #expect(try cache.json("show", "given")["type"] as? String == "image/x-other")
  }

  @Test("a second put replaces the first, and the validators with it")
  func replaced() throws {
    try cache.put("k", Sample.gif, "--etag", "\"v1\"", "--cost", "7", "--fresh-for", "1h")
    let first = try cache.json("show", "k")
    #expect(first["etag"] as? String == "\"v1\"")
    #expect(first.number("cost") == 7)
    #expect(first["fresh"] as? Bool == true)
    try cache.put("k", Sample.png)
    let second = try cache.json("show", "k")
    #expect(second["etag"] is NSNull)
    #expect(second.number("cost") == Sample.png.count)
    #expect(try cache.succeed("get", "k").outputBytes == Sample.png)
  }

  @Test(
    "one flipped byte and a shorter object are misses: status 1, a reason, and no byte on stdout")
  func damaged() throws {
    try cache.put("k", Array(repeating: 65, count: 1000))
    let object = try cache.object("k")
    for damage in [
      [UInt8](repeating: 65, count: 999), [66] + [UInt8](repeating: 65, count: 999), [],
    ] {
      try write(damage, to: object)
      let result = try cache.run("get", "k")
      #expect(result.status == 1)
      #expect(result.outputBytes.isEmpty)
      #expect(result.errors.contains("damaged: k ("))
      let file = cache.directory.appending("out")
      #expect(try cache.run("get", "k", "-o", file).status == 1)
      #expect(!FileManager.default.fileExists(atPath: file))
    }
  }

  @Test("a store that stopped before its rename leaves the old image to be served")
  func interrupted() throws {
    try cache.put("k", Sample.gif)
    let object = try cache.object("k")
    let kept = cache.directory.appending("kept")
    try Command("cp", [object, kept]).succeed()
    try cache.put("k", Sample.png)
    try Command("cp", [kept, object]).succeed()
    #expect(try cache.succeed("get", "k").outputBytes == Sample.gif)
    #expect(try cache.json("show", "k")["state"] as? String == "interrupted")
  }

  @Test("get counts as a use unless told otherwise, and show never does")
  func touch() throws {
    try cache.put("k", Sample.gif)
    let object = try cache.object("k")
    try setTimes(object, "2025-01-02T03:04:05Z")
    let before = try times(object)
    try cache.succeed("show", "k")
    try cache.succeed("get", "k", "--no-touch")
    #expect(try times(object) == before)
    try cache.succeed("get", "k")
    #expect(try times(object) != before)
  }

  @Test("-o replaces a file whole, through a link, and leaves nothing beside it")
  func outputFile() throws {
    try cache.put("k", Sample.gif)
    let folder = cache.directory.appending("out")
    try Command("mkdir", [folder]).succeed()
    try write([1, 2, 3], to: folder + "/real")
    try Command("ln", ["-s", "real", folder + "/link"]).succeed()
    try cache.succeed("get", "k", "-o", folder + "/link")
    #expect(try bytes(of: folder + "/real") == Sample.gif)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["link", "real"])
    #expect(try cache.succeed("get", "k", "-o", "/dev/stdout").outputBytes == Sample.gif)
    let refused = try cache.run("get", "k", "-o", folder + "/none/x")
    #expect(refused.status == 3)
    #expect(refused.errors.contains(folder + "/none/x"))
  }

  @Test(
    "what is no file in an object's place is a miss and hangs nothing",
    arguments: ["fifo", "directory", "link", "socket"])
  func foreign(_ kind: String) throws {
    try cache.put("k", Sample.gif)
    let object = try cache.object("k")
    try Command("rm", [object]).succeed()
    let victim = cache.directory.appending("victim")
    try write([42], to: victim)
    switch kind {
    case "fifo": try Command("mkfifo", [object]).succeed()
    case "directory": try Command("mkdir", [object]).succeed()
    case "link": try Command("ln", ["-s", victim, object]).succeed()
    default:
      let script =
        "import socket,sys,os; os.chdir(os.path.dirname(sys.argv[1])); socket.socket(socket.AF_UNIX).bind(os.path.basename(sys.argv[1]))"
      try Command("python3", ["-c", script, object]).succeed()
    }
    let result = try cache.run("get", "k")
    #expect(result.status == 1)
    #expect(result.outputBytes.isEmpty)
    #expect(try cache.json("show", "k")["state"] as? String == "foreign")
    #expect(try cache.run("rm", "k").status == 3)
    #expect(try bytes(of: victim) == [42])
  }

  @Test("two processes that store at once lose nothing of each other")
  func concurrent() throws {
    let trees = try (0..<2).map { number in
      let tree = cache.directory.appending("tree\(number)")
      try Command("mkdir", [tree]).succeed()
      for file in 0..<500 {
        try write(Array("\(number) \(file)".utf8), to: "\(tree)/\(number)-\(file)")
      }
      return tree
    }
    let running = try trees.map {
      try cache.command(["import", $0, "--base-url", "https://img.example/"]).start()
    }
    for command in running { #expect(try command.wait().status == 0) }
    #expect(try cache.json("stat").object("usage").number("entries") == 500 + 500)
    #expect(try cache.json("stat").number("records") == 500 + 500)
    #expect(try cache.succeed("get", "https://img.example/1-499").output == "1 499")
  }
}
