import CommandTable
import SeededRandom
import Testing

@Suite("messages about a line") struct UsageErrorTests {
  @Test(
    "a message names the option or argument, its value, and what to do",
    arguments: [
      ("", #"tool: a command is missing"#),
      ("ome", #"tool: unknown command "ome"; did you mean "one"?"#),
      ("xyz", #"tool: unknown command "xyz""#),
      ("one --limt 3", #"tool one: unknown option "--limt"; did you mean "--limit"?"#),
      ("one --lim 3", #"tool one: unknown option "--lim"; did you mean "--limit"?"#),
      ("one --prefix 3", #"tool one: unknown option "--prefix"; it belongs to four"#),
      (
        "--limit 3 one",
        #"tool: unknown option "--limit"; it belongs to one, whose name goes before it"#
      ),
      (
        "one -nx",
        #"tool one: unknown option "-x" in "-nx"; an argument that begins with - goes after --"#
      ),
      ("one --limit abc", #"tool one: --limit "abc": not a whole number"#),
      ("one -l abc", #"tool one: -l "abc": not a whole number"#),
      ("one --limit=-1", #"tool one: --limit "-1": negative; a whole number is 0 or more"#),
      ("one --limit=", #"tool one: --limit "": empty, not a whole number"#),
      ("one --limit 100", #"tool one: --limit "100": out of range: 0 to 99"#),
      ("one --limit", #"tool one: --limit: the value N is missing"#),
      (
        "one --plan --full",
        #"tool one: --plan: the value FILE is missing before "--full"; if that is the value, "#
          + "write --plan=--full"
      ),
      ("one --dry-run=no", #"tool one: --dry-run takes no value, but is given "no""#),
      ("one --limit 1 -l 2", #"tool one: --limit is given twice"#),
      ("one --images --images=x", #"tool one: --images is given twice"#),
      ("--root a one --root b", #"tool one: --root is given twice"#),
      (
        "one --limit 1 --level hihg",
        #"tool one: --level "hihg": not one of low, middle, high; did you mean "high"?"#
      ),
      ("one --plan x --full", "tool one: --plan and --full exclude each other: give one of them"),
      ("one --level low", "tool one: --level needs --limit as well"),
      ("one x", #"tool one: unexpected argument "x": the command takes no argument"#),
      ("two", "tool two: KEY is missing: the key"),
      ("three a", "tool three: --from URL is missing: the source"),
      ("three --from x", "tool three: KEY is missing: the keys"),
      ("four", "tool four: nothing to work on: give one of KEY or --prefix"),
      ("four a --prefix b", "tool four: KEY and --prefix exclude each other: give one of them"),
      (
        "help on",
        #"tool help: COMMAND "on": not one of one, two, three, four; "#
          + #"did you mean "one"?"#
      ),
    ])
  func says(line: String, expected: String) {
    #expect(message(line) == expected)
  }

  @Test("an error says where to read on")
  func readOn() {
    guard case .failure(let error) = Sampler().tool.parse(["one", "x"]) else { return }
    #expect(error.description == error.message + "\nSee: tool one -h")
    #expect(error.command == "tool one")
  }

  @Test("nothing in a message is obeyed by a terminal, and a long value is cut")
  func isHarmless() throws {
    let text = try #require(message([Array("one".utf8), Array("--limit=\u{1B}[2J\n\"".utf8)]))
    #expect(text.contains(#""\x1b[2J\n\"""#))
    let long = try #require(message([Array("one".utf8), Array(repeating: 0x61, count: 100_000)]))
    #expect(long.utf8.count < 400)
  }

  @Test("whatever bytes a line is made of, it is read or refused, and never traps")
  func anyBytes() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededNumbers(seed: seed)
    let parts = ["--", "-", "=", "one", "two", "limit", "n", "9", " ", "help", "\u{0}", "é"]
    for _ in 0..<3_000 {
      let line = (0..<Int.random(in: 0...5, using: &random)).map { _ -> [UInt8] in
        (0..<Int.random(in: 0...4, using: &random)).flatMap { _ in
          Bool.random(using: &random)
            ? Array((parts.randomElement(using: &random) ?? "").utf8)
            : [UInt8.random(in: 0...255, using: &random)]
        }
      }
      if let text = message(line) { #expect(text.hasPrefix("tool"), "seed \(seed)") }
    }
  }
}
