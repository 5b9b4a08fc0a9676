import Foundation
import TestSupport
import Testing

@testable import CachectlCLI
@testable import CommandTable

@Suite("documents") struct DocumentTests {
  @Test("the table of commands has no problem")
  func table() { #expect(tool.problems() == []) }

  @Test(
    "shipped man pages and completions are what the table renders: make docs brings them up to date"
  )
  func fresh() throws {
    let folder = try TemporaryDirectory()
    try Command.cachectl("docs", folder.path).succeed()
    for directory in ["man", "completions"] {
      let rendered = try FileManager.default.contentsOfDirectory(
        atPath: folder.appending(directory))
      let shipped = try FileManager.default.contentsOfDirectory(atPath: Repository.path(directory))
        .filter { $0 != "schema" }
      #expect(rendered.sorted() == shipped.sorted())
      for name in rendered {
        #expect(
          try bytes(of: folder.appending("\(directory)/\(name)"))
            == bytes(of: Repository.path("\(directory)/\(name)")),
          "\(directory)/\(name)")
      }
    }
  }

  @Test("mandoc finds nothing to say of any page")
  func lint() throws {
    let pages = try FileManager.default.contentsOfDirectory(atPath: Repository.path("man"))
      .filter { $0.contains(#/\.[15]$/#) }.map { Repository.path("man/\($0)") }
    #expect(pages.count > 10)
    let result = try Command("mandoc", ["-T", "lint", "-W", "style"] + pages).run()
    let complaints = result.output.split(separator: "\n").filter {
      !$0.contains("referenced manual not found")
    }
    #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))")
  }

  @Test("every command that is not hidden has a page, and cachectl(1) names it")
  func pages() throws {
    let overview = try Repository.text("man/cachectl.1")
    for command in tool.commands where !command.isHidden {
      #expect(
        FileManager.default.fileExists(atPath: Repository.path("man/cachectl-\(command.name).1")))
      #expect(overview.contains("cachectl-\(command.name) 1"))
    }
  }

  @Test(
    "the scripts of completion parse",
    arguments: [
      ("bash", ["-n"], "cachectl.bash"), ("zsh", ["-n"], "_cachectl"),
      ("fish", ["--no-execute"], "cachectl.fish"),
    ])
  func scripts(_ shell: String, _ options: [String], _ file: String) throws {
    try Command(shell, options + [Repository.path("completions/" + file)]).succeed()
  }

  @Test("what cachectl-layout(5) says of names, sums and the witness is what is on disk")
  func layout() throws {
    let cache = try TestCache()
    try cache.put("k", Sample.gif)
    let cost = try String(contentsOfFile: cache.manifest("k", "cost.jsonl"), encoding: .utf8)
    let line = try #require(cost.split(separator: "\n").last)
    let parts = try #require(line.wholeMatch(of: #/(.*),"sum":"([0-9a-f]{16})"\}/#))
    var sum = Command("xxhsum", ["-H3"])
    sum.input = Array(parts.1.utf8)
    #expect(try sum.succeed().output.contains(parts.2))
    let witness = try String(contentsOfFile: cache.manifest("k", "lock"), encoding: .utf8)
    let directory = (try cache.object("k") as NSString).deletingLastPathComponent
    let modified = try Command("stat", ["-c", "%.9Y", directory]).succeed().output
      .replacing(".", with: "").dropLast()
    let digits = { (text: String) in String(repeating: "0", count: 20 - text.count) + text }
    #expect(witness == digits(String(modified)) + "\n" + digits("\(cost.utf8.count)") + "\n")
  }
}
