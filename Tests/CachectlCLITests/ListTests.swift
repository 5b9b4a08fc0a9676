import Foundation
import TestSupport
import Testing

@Suite("ls") struct ListTests {
  let cache: TestCache

  init() throws {
    cache = try TestCache()
    let tree = cache.directory.appending("tree")
    try Command("mkdir", [tree]).succeed()
    for number in 0..<300 {
      // Lengths come in pairs, so that ties are met.
      let body = Sample.png + [UInt8](repeating: UInt8(number % 251), count: number / 2)
      try write(body, to: "\(tree)/\(number).png")
    }
    try cache.succeed("import", tree, "--base-url", "https://img.example/a/")
    try cache.put("http://other.example:8080/b.gif", Sample.gif)
    try cache.put("no url", [1])
  }

  static let orders: [[String]] = [
    [], ["--sort", "used"], ["--sort", "used", "-r"], ["--sort", "stored"],
    ["--sort", "stored", "-r"],
    ["--sort", "bytes"], ["--sort", "bytes", "-r"], ["--sort", "cost"], ["--sort", "cost", "-r"],
    ["--sort", "key"], ["--sort", "key", "-r"],
  ]

  @Test(
    "pages in every order hold each entry once, in the order of one long page", arguments: orders)
  func pages(_ order: [String]) throws {
    var paged: [String] = []
    var cursor: String?
    repeat {
      let words =
        ["--json", "ls", "--limit", "77"] + order + (cursor.map { ["--after", $0] } ?? [])
      let page = try cache.command(words).succeed().json()
      paged += page.objects("entries").compactMap { $0["name"] as? String }
      cursor = page["next"] as? String
    } while cursor != nil
    let whole = try cache.command(["--json", "ls", "--limit", "all"] + order).succeed().json()
    #expect(paged == whole.objects("entries").compactMap { $0["name"] as? String })
    #expect(Set(paged).count == 302)
    #expect(paged.count == 302)
  }

  @Test(
    "the order is what it says", arguments: [("bytes", false), ("bytes", true), ("cost", false)])
  func order(_ key: String, _ isReversed: Bool) throws {
    let words = ["--json", "ls", "--sort", key] + (isReversed ? ["--reverse"] : [])
    let values = try cache.command(words).succeed().json().objects("entries").compactMap {
      $0.number(key)
    }
    #expect(values == (isReversed ? values.sorted(by: >) : values.sorted()))
  }

  @Test("the order of use is that of the objects' times, whatever was recorded")
  func used() throws {
    let keys = try cache.listed("--limit", "10")
    for (day, key) in keys.enumerated() {
      try setTimes(cache.object(key), "2027-01-\(10 + day)T00:00:00Z")
    }
    // Times in the future count as now: all of these tie with one another, behind every other one.
    #expect(try Set(cache.listed("--sort", "used", "--reverse", "--limit", "10")) == Set(keys))
    for (day, key) in keys.enumerated() {
      try setTimes(cache.object(key), "2020-01-\(10 + day)T00:00:00Z")
    }
    // The record's own time is later than these, and the later one holds.
    #expect(try cache.listed("--sort", "used", "--limit", "302").count == 302)
  }

  @Test("filters keep what they say and nothing else")
  func filters() throws {
    #expect(try cache.listed("--host", "OTHER.example") == ["http://other.example:8080/b.gif"])
    #expect(try cache.listed("--type", "image/gif") == ["http://other.example:8080/b.gif"])
    #expect(try cache.listed("--type", "image/").count == 300 + 1)
    #expect(try cache.listed("--type", "image/pn").isEmpty)
    #expect(try cache.listed("--prefix", "no") == ["no url"])
    #expect(try cache.listed("--prefix", "https://img.example/a/29").count == 1 + 10)
    // The longest bodies are 11 bytes and 149 more.
    #expect(try cache.listed("--larger-than", "159").count == 2)
    #expect(try cache.listed("--larger-than", "160").isEmpty)
    #expect(try cache.listed("--older-than", "1h").isEmpty)
    #expect(try cache.listed("--older-than", "0", "--host", "img.example").count == 300)
  }

  @Test("a closed pipe ends a listing quietly")
  func closedPipe() throws {
    let line =
      "\(Repository.cachectl) --root \(cache.root) ls --limit all --format jsonl | head -1; echo ${PIPESTATUS[0]}"
    let result = try Command("bash", ["-c", line]).run()
    #expect(result.output.hasSuffix("0\n"))
    #expect(result.errors.isEmpty)
  }

  @Test("a full disk behind stdout is an error and not a success")
  func fullDevice() throws {
    let line = "\(Repository.cachectl) --root \(cache.root) ls >/dev/full"
    let result = try Command("bash", ["-c", line]).run()
    #expect(result.status == 3)
    #expect(result.errors.contains("ENOSPC"))
  }

  @Test("looking moves no time of any object")
  func timesStay() throws {
    let key = "no url"
    let object = try cache.object(key)
    try setTimes(object, "2025-01-02T03:04:05Z")
    let before = try times(object)
    try cache.succeed("ls", "--sort", "used")
    try cache.succeed("ls", "--long")
    try cache.succeed("show", "--exact", key)
    try cache.succeed("stat", "--exact")
    try cache.succeed("rm", "--prefix", "no", "-n")
    #expect(try times(object) == before)
  }

  @Test("a stray is listed by its name, and a missing or foreign object is not")
  func strange() throws {
    let stray = String(repeating: "ab", count: 32)
    try write([1, 2, 3], to: "\(cache.root)/objects/ab/\(stray)")
    try Command(
      "mkfifo",
      [
        "\(cache.root)/objects/ab/\(String(repeating: "ac", count: 32).replacing("ac", with: "ab", maxReplacements: 1))"
      ]
    ).succeed()
    try write([9], to: "\(cache.root)/objects/ab/README")
    try Command("rm", [cache.object("no url")]).succeed()
    let listed = try cache.listed("--limit", "all")
    #expect(listed.contains(stray))
    #expect(!listed.contains("no url"))
    #expect(listed.count == 302 - 1 + 1)
    #expect(try cache.succeed("get", stray).outputBytes == [1, 2, 3])
  }

  @Test("a cursor that is none is refused, and --limit 0 lists nothing")
  func cursors() throws {
    for cursor in ["x", "12", "../../etc", "12.34", String(repeating: "A", count: 64)] {
      let result = try cache.run("ls", "--after", cursor)
      #expect(result.status == 2)
      #expect(result.errors.contains("--after"))
    }
    #expect(try cache.listed("--limit", "0").isEmpty)
  }
}
