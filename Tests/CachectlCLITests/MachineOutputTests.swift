import Foundation
import TestSupport
import Testing

@Suite("machine output") struct MachineOutputTests {
  let cache: TestCache
  static let secret = "http://user:pass123@img.example/x?X-Amz-Signature=zzz999&w=1"

  init() throws {
    cache = try TestCache("--max-size", "1GB")
    try cache.put(
      Self.secret, Sample.gif, "--etag", "\"v\"", "--last-modified", "Sun, 30 Nov 2025 05:20:00 GMT"
    )
    try cache.put("k", [1])
    try cache.put("line\nbreak \u{1b}[31m\u{202e}", [1])
  }

  /// Runs whose output a schema describes: the schema's file and the words.
  static let documents: [(String, [String])] = [
    ("ls-1", ["ls"]), ("ls-1", ["ls", "--sort", "bytes", "--limit", "1"]),
    ("ls-1", ["ls", "--limit", "0"]),
    ("show-1", ["show", "k"]), ("show-1", ["show", "nope"]), ("show-1", ["show", secret]),
    ("stat-1", ["stat", "--check", "entries=1", "--check", "free-bytes=1"]),
    ("stat-1", ["stat", "--exact"]),
    ("key-1", ["key", secret]), ("put-1", ["put", "n", "/etc/hostname"]), ("config-1", ["config"]),
    ("get-1", ["get", "k", "-o", "/dev/null"]), ("rm-1", ["rm", "k"]),
    ("rm-1", ["rm", "--prefix", "http", "-n"]),
    ("import-1", ["import", "/etc/hostname", "/no/such", "--base-url", "https://img.example"]),
    ("compact-1", ["compact"]), ("gc-1", ["gc", "--max-count", "1", "-n"]),
    ("gc-1", ["gc", "--max-count", "1"]),
    ("gc-1", ["-v", "gc", "--max-size", "0", "--min-free", "100%"]), ("gc-1", ["gc"]),
    ("error-1", ["get", "nope", "-o", "/dev/null"]), ("error-1", ["put", "k", "/no/such"]),
    ("config-1", ["config", "max-age", "2d"]),
  ]

  /// Says nothing where the document on stdin is what the schema says, members that it does not name
  /// included: those would be undocumented.
  static let validator = """
    import json, sys, jsonschema
    def strict(schema):
        if isinstance(schema, dict):
            if "properties" in schema: schema["additionalProperties"] = False
            for value in schema.values(): strict(value)
        if isinstance(schema, list):
            for value in schema: strict(value)
    schema = json.load(open(sys.argv[1]))
    jsonschema.Draft202012Validator.check_schema(schema)
    strict(schema)
    def once(pairs):
        names = [name for name, _ in pairs]
        assert len(names) == len(set(names)), names
        return dict(pairs)
    for line in sys.stdin if len(sys.argv) > 2 else [sys.stdin.read()]:
        jsonschema.validate(json.loads(line, object_pairs_hook=once), schema,
                            cls=jsonschema.Draft202012Validator)
    """

  func validate(_ output: [UInt8], _ schema: String, lines: Bool = false) throws {
    var check = Command(
      "python3",
      ["-c", Self.validator, Repository.path("man/schema/\(schema).json")]
        + (lines ? ["lines"] : []))
    check.input = output
    let result = try check.run()
    #expect(
      result.status == 0, "\(result.errors.suffix(600))\n\(String(decoding: output, as: UTF8.self))"
    )
  }

  @Test(
    "each document is what its published schema says, and nothing else is on stdout",
    arguments: documents)
  func schemas(_ schema: String, _ words: [String]) throws {
    let result = try cache.command(["--json"] + words).run()
    try validate(result.outputBytes, schema)
    let document = try result.json()
    #expect(document.number("status") == Int(result.status))
    #expect(document["schema"] as? String == "cachectl." + schema.replacing("-1", with: "/1"))
  }

  @Test("init's document and the lines of a listing have schemas too")
  func otherSchemas() throws {
    let folder = try TemporaryDirectory()
    let made = try Command.cachectl("--json", "init", folder.appending("c"), "--min-free", "5%")
      .succeed()
    try validate(made.outputBytes, "init-1")
    try validate(cache.succeed("ls", "--format", "jsonl").outputBytes, "entry-1", lines: true)
  }

  @Test("secrets of a key are shown nowhere unless asked for")
  func secrets() throws {
    var shown = ""
    for words in [
      ["ls"], ["ls", "--long"], ["show", Self.secret], ["-v", "put", Self.secret, "/no/such"],
      ["rm", "-n", "--prefix", "http"], ["-v", "gc", "--max-count", "0", "-n"],
      ["get", Self.secret + "x"], ["show", Self.secret + "x"], ["stat"], ["stat", "--metrics"],
      ["__keys", "--", "http"],
      ["put", Self.secret + String(repeating: "x", count: 9000), "-"], ["key", Self.secret],
    ] {
      for json in [[], ["--json"]] {
        let result = try cache.command(json + words).run()
        shown += result.output + result.errors
      }
    }
    #expect(!shown.contains("pass123"))
    #expect(!shown.contains("zzz999"))
    #expect(shown.contains("***"))
    #expect(try cache.succeed("--show-secrets", "ls").output.contains(Self.secret))
  }

  @Test("a hostile key cannot drive a terminal or forge a line")
  func terminal() throws {
    let result = try cache.succeed("ls")
    #expect(result.output.contains(#"line\nbreak \x1b[31m\u{202e}"#))
    #expect(result.output.split(separator: "\n").count == 1 + 3)
    let shown =
      try cache.succeed("show", "line\nbreak \u{1b}[31m\u{202e}").output
      + cache.run("get", "x\u{1b}[2J\ny").errors
    #expect(!shown.contains("\u{1b}"))
  }

  @Test("numbers and times do not depend on the locale, and nothing is coloured off a terminal")
  func locale() throws {
    for words in [["stat"], ["ls"], ["--json", "stat"], ["gc", "--max-count", "1", "-n"]] {
      let plain = try cache.command(words).with(["LC_ALL": "C"]).succeed()
      let german = try cache.command(words).with(["LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"])
        .succeed()
      let digits = { (text: String) in text.replacing(#/[0-9]+(s|m|h)?|[#.]+/#, with: "0") }
      #expect(digits(plain.output) == digits(german.output))
      #expect(!(plain.output + plain.errors).contains("\u{1b}"))
    }
  }
}
