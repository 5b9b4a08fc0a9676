import Foundation
import TestSupport
import Testing

@Suite("man pages and scripts") struct RenderingTests {
  private let tool: ExampleTool
  private let pages: [String]

  init() throws {
    tool = try ExampleTool()
    pages = try FileManager.default.contentsOfDirectory(atPath: tool.pages).sorted()
  }

  private func inPages(_ program: String, _ arguments: [String]) throws -> CommandResult {
    var command = Command(program, arguments)
    command.directory = tool.pages
    return try command.run()
  }

  @Test("every command that is not hidden has a page")
  func page() {
    let commands = ["completions", "get", "help", "rm", "trim"]
    #expect(pages == commands.map { "example-\($0).1" } + ["example.1"])
  }

  @Test("mandoc and groff have nothing to say about any page")
  func lint() throws {
    // The page that find(1) is in may be missing on this machine, or its database be old.
    let lint = try inPages("mandoc", ["-T", "lint"] + pages).output
    #expect(lint.split(separator: "\n").filter { !$0.contains("find(1)") } == [])
    for page in pages {
      let groff = try inPages("groff", ["-mandoc", "-ww", "-Tutf8", "-z", page])
      #expect(groff.status == 0 && groff.errors == "", "\(page)")
    }
  }

  @Test("every sign of the texts reaches the reader of a page")
  func signs() throws {
    let page = try inPages("mandoc", ["-T", "utf8", "example-trim.1"]).output
    let seen = page.replacingOccurrences(of: ".\u{08}", with: "", options: .regularExpression)
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for text in [
      #"A line of trim -n is 'quoted' \ and ends with a stop."#,
      #".A paragraph that begins with a point, and "quotes"."#, "[1 MB is 10^6 bytes]",
      "example trim -n --host 'a b' | wc -l", "state/'log'", "--images[=header|decode]",
      "-m, --max-mb N", #"Save the plan \ to FILE."#, "($HOME, date)",
      "At most one of --plan and --apply can be given.", "bytes: lengths: [exact] 'sum'",
    ] {
      #expect(seen.contains(text), "\(text)")
    }
  }

  @Test(
    "each shell takes its script", arguments: ["bash example", "zsh _example", "fish example.fish"])
  func syntax(shellAndFile: String) throws {
    let words = shellAndFile.split(separator: " ").map(String.init)
    let check = try Command(words[0], ["-n", tool.scripts + "/" + words[1]]).run()
    #expect(check.status == 0 && check.errors == "")
  }

  @Test("the table of the example is sound")
  func table() throws {
    let check = try Command(tool.program, ["__problems"]).run()
    #expect(check.status == 0 && check.output == "")
  }
}
