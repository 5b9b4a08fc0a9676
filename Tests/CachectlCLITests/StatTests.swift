import Foundation
import TestSupport
import Testing

@Suite("stat and compact") struct StatTests {
  let cache: TestCache

  init() throws {
    cache = try TestCache("--max-count", "20", "--max-size", "1MB")
    for number in 0..<10 {
      try cache.put("https://h\(number % 2).example/\(number)", Sample.gif, "--cost", "3")
    }
    try cache.put("plain", Array(repeating: 0, count: 100))
  }

  @Test("totals are what find counts")
  func totals() throws {
    let figures = try cache.json("stat", "--exact")
    let lengths = try Command(
      "find", [cache.root + "/objects", "-type", "f", "-printf", "%s %b\n"]
    )
    .succeed().output.split(separator: "\n").map { $0.split(separator: " ").compactMap { Int($0) } }
    let usage = figures.object("usage")
    #expect(usage.number("entries") == lengths.count)
    #expect(usage.number("bytes") == lengths.reduce(0) { $0 + $1[0] })
    #expect(usage.number("disk_bytes") == lengths.reduce(0) { $0 + $1[1] * 512 })
    #expect(usage.number("cost") == 10 * 3 + 100)
  }

  @Test("hosts, types, ages and lengths add up to the whole")
  func parts() throws {
    let figures = try cache.json("stat")
    for part in ["hosts", "types", "ages", "lengths"] {
      #expect(
        figures.objects(part).reduce(0) { $0 + ($1.number("entries") ?? 0) } == 10 + 1, "\(part)")
    }
    let hosts = figures.objects("hosts").compactMap { $0["host"] as? String }
    #expect(Set(hosts) == ["h0.example", "h1.example"])
  }

  @Test("the budget is the policy's, and its use is counted")
  func budget() throws {
    let lines = try cache.json("stat").objects("budget")
    #expect(lines.compactMap { $0["name"] as? String } == ["max-size", "max-count"])
    #expect(lines.map { $0.number("value") } == [10 * 10 + 100, 11])
    // 11 of 20 is 55 %.
    #expect(try cache.run("stat", "--check", "budget=55").status == 0)
    #expect(try cache.run("stat", "--check", "budget=54%").status == 1)
  }

  static let checks = [
    ("entries=11", 0), ("entries=10", 1), ("bytes=200", 0), ("bytes=199B", 1), ("cost=130", 0),
    ("cost=129", 1), ("oldest=1h", 0), ("strays=0", 0), ("missing=0", 0), ("free-bytes=1", 0),
    ("free-bytes=8EB", 2), ("free-bytes=9000000TB", 1), ("free-inodes=1", 0), ("nope=1", 2),
    ("entries", 2), ("entries=", 2), ("entries=-1", 2), ("entries=99999999999999999999", 2),
    ("bytes=2.5", 2), ("damaged-lines=0", 0), ("leftovers=0", 0),
  ]

  @Test(
    "a check fails where its figure passes the limit, and says so even when quiet",
    arguments: checks)
  func check(_ check: String, _ status: Int) throws {
    let result = try cache.run("stat", "-q", "--check", check)
    #expect(result.status == Int32(status))
    #expect(result.output.isEmpty == (status != 1))
    #expect(result.errors.isEmpty == (status != 2))
  }

  @Test("metrics are what an OpenMetrics reader expects: type, help, value, and the end")
  func metrics() throws {
    try cache.put("odd", [1], "--type", "a\"b\\c\nd")
    let text = try cache.succeed("stat", "--metrics").output
    #expect(text.hasSuffix("# EOF\n"))
    var families: Set<Substring> = []
    for line in text.split(separator: "\n").dropLast() {
      if let family = line.firstMatch(of: #/^# (TYPE|HELP|UNIT) (cachectl_[a-z_]+) /#) {
        families.insert(family.2)
      } else {
        let sample = try #require(
          line.wholeMatch(of: #/(cachectl_[a-z_]+)(\{[a-z]+="(?:[^"\\]|\\["\\n])*"\})? [0-9.]+/#),
          "\(line)")
        #expect(families.contains(sample.1))
      }
    }
    #expect(text.contains("\ncachectl_entries 12\n"))
  }

  @Test("compacting loses no entry and leaves a line for each")
  func compact() throws {
    for _ in 0..<5 { try cache.put("plain", [1, 2]) }
    try cache.succeed("rm", "https://h0.example/0")
    let outcome = try cache.json("compact")
    #expect(outcome.object("before").number("lines") == 2 * (11 + 5 + 1))
    #expect(outcome.object("after").number("lines") == 2 * 10)
    #expect(try cache.listed().count == 10)
    #expect(try cache.succeed("get", "plain").outputBytes == [1, 2])
    #expect(try cache.json("compact").object("after").number("lines") == 2 * 10)
  }
}
