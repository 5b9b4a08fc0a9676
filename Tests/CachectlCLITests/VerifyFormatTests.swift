import Foundation
import TestSupport
import Testing

@Suite("The reports of verify") struct VerifyFormatTests {
  private func broken() throws -> VerifyCase {
    let cache = try VerifyCase()
    try cache.damage(1)
    unlink(try cache.object(2))
    var put = cache.command(
      "put", "https://u:secret@img.example/x?sig=abc\u{1}<&>\"\n::error::", "-")
    put.input = Array("12345".utf8)
    try put.succeed()
    let name = try Command("sh", ["-c", "ls -t \"$1\"/objects/*/* | head -1", "sh", cache.root])
      .succeed().output
    try Data("1234".utf8).write(to: URL(fileURLWithPath: String(name.dropLast())))
    return cache
  }

  @Test("JSON is one document with counts, findings and what was checked")
  func json() throws {
    let cache = try broken()
    let document = try cache.command("--json", "verify").run().json()
    #expect(document["schema"] as? String == "cachectl.verify/1")
    #expect(document["status"] as? Int == 1)
    #expect((document["checked"] as? [String: Int]) == ["entries": 40, "bytes": try bytes(cache)])
    let counts = try #require(document["counts"] as? [String: Int])
    #expect(counts["sound"] == 38 && counts["damaged"] == 2 && counts["missing"] == 1)
    let findings = try #require(document["findings"] as? [[String: Any]])
    #expect(findings.count == 3)
    #expect(!"\(findings)".contains("secret"))
  }

  @Test("what is printed is what the published schemas say")
  func schemas() throws {
    let cache = try broken()
    let document = cache.folder.appending("document")
    func check(_ bytes: some Sequence<UInt8>, _ schema: String) throws {
      try Data(bytes).write(to: URL(fileURLWithPath: document))
      try Command(
        "python3",
        [
          "-W", "ignore", "-m", "jsonschema", "-i", document,
          Repository.path("man/schema/\(schema)-1.json"),
        ]
      ).succeed()
    }
    try check(cache.command("--json", "verify", "--coverage", "1%/1d").run().outputBytes, "verify")
    let lines = try cache.verify("--format", "jsonl").outputBytes.split(separator: 0x0a)
    try check(lines[0], "verify.finding")
    try check(try #require(lines.last), "verify")
  }

  private func bytes(_ cache: VerifyCase) throws -> Int {
    let sizes = try Command("find", [cache.root + "/objects", "-type", "f", "-printf", "%s\n"])
      .succeed().output
    return sizes.split(separator: "\n").compactMap { Int($0) }.reduce(0, +)
  }

  @Test("JSON Lines are a document a line: each finding, and at last the report")
  func lines() throws {
    let result = try broken().verify("--format", "jsonl")
    let documents = try result.output.split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
    let schemas = documents.map { $0["schema"] as? String }
    #expect(
      schemas == [String?](repeating: "cachectl.verify.finding/1", count: 3) + ["cachectl.verify/1"]
    )
    #expect(documents.last?["status"] as? Int == 1)
  }

  @Test("JUnit XML is valid, and its numbers are those of its cases, whatever a key holds")
  func junit() throws {
    let cache = try broken()
    let result = try cache.verify("--format", "junit")
    let path = cache.folder.appending("verify.xml")
    try Data(result.outputBytes).write(to: URL(fileURLWithPath: path))
    try Command(
      "xmllint", ["--noout", "--schema", Repository.path("Tests/Fixtures/junit.xsd"), path]
    ).succeed()
    func count(_ query: String) throws -> Int? {
      let words = ["--xpath", query, path]
      return Int(try Command("xmllint", words).succeed().output.filter { $0.isNumber })
    }
    for (attribute, element) in [
      ("tests", "testcase"), ("failures", "failure"), ("skipped", "skipped"),
    ] {
      #expect(
        try count("string(//testsuite/@\(attribute))") == count("count(//\(element))"),
        "\(attribute)")
    }
    #expect(try count("count(//failure[@type='damaged'])") == 2)
    #expect(!result.output.contains("secret"))
  }

  @Test("annotations of GitHub cannot be ended or begun by what a key holds")
  func github() throws {
    let result = try broken().verify("--format", "github")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.allSatisfy { $0.hasPrefix("::error ") || $0.hasPrefix("::warning ") })
    #expect(lines.filter { $0.hasPrefix("::warning title=cache%3A missing::") }.count == 1)
  }

  @Test("--list names what is damaged and nothing else, and rm --from takes it")
  func list() throws {
    let cache = try broken()
    let path = cache.folder.appending("bad")
    #expect(try cache.verify("--list", path).status == 1)
    let listed = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(listed.count == 2 && listed.contains(Substring(cache.key(1))))
    #expect(
      try cache.verify("--list", "-").output.split(separator: "\n").sorted() == listed.sorted())
    try cache.command("rm", "--from", path).succeed()
    #expect(try cache.verify().output.contains("38 entries"))
  }

  @Test("xxhsum finds the same objects wrong as verify does")
  func agreement() throws {
    let cache = try VerifyCase(120)
    for index in 0..<30 { try cache.damage(index) }
    let sums = try cache.command("export", "--xxhsum").succeed()
    var check = Command("xxhsum", ["-H2", "--quiet", "-c", "-"])
    check.directory = cache.root
    check.input = sums.outputBytes
    let theirs = try check.run()
    let wrong = theirs.output.split(separator: "\n").filter { $0.hasSuffix(": FAILED") }.map {
      $0.dropLast(8)
    }
    let document = try cache.command("--json", "verify").run().json()
    let ours = (document["findings"] as? [[String: Any]] ?? []).compactMap { $0["path"] as? String }
    #expect(wrong.count == 30 && Set(wrong.map(String.init)) == Set(ours))
  }

  @Test("progress shows on standard error where it is asked for, and not in a log")
  func progress() throws {
    let cache = try VerifyCase()
    #expect(try cache.verify().errors.isEmpty)
    #expect(try cache.command("--progress", "always", "verify").run().errors.contains("checked"))
  }
}
