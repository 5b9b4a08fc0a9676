import Foundation
import TestSupport
import Testing

@Suite struct ReadmeTests {
  let readme: String

  init() throws { readme = try Repository.text("README.md") }

  @Test("the map of folders names the folders that there are")
  func map() throws {
    // A line of the map: the folder, two spaces or more, what it is for.
    let mapped = readme.matches(of: #/(?m)^([\w./-]+)/ {2,}\S/#).map { String($0.1) }
    var existing = try folders(in: ".").filter { $0 != "Sources" && $0 != "Tests" }
    for parent in ["Sources", "Tests"] {
      existing += try folders(in: parent).map { "\(parent)/\($0)" }
    }
    #expect(Set(mapped) == Set(existing))
    #expect(mapped.count == Set(mapped).count)
  }

  @Test("every make command that the README names exists")
  func commands() throws {
    let named = Set(readme.matches(of: #/make ([a-z]+)/#).map { String($0.1) })
    #expect(named.isSuperset(of: ["demo", "test"]))
    for target in named.sorted() {
      var make = Command("make", ["--dry-run", target])
      make.directory = Repository.root
      #expect(try make.run().status == 0, "make \(target)")
    }
  }

  @Test("every cachectl command that the README names exists")
  func ownCommands() throws {
    // A command stands on a line of its own, after a prompt or indented.
    let pattern = #/(?m)^(?:\$ |    )cachectl(?: --root \S+)? ([a-z]+)/#
    let named = Set(readme.matches(of: pattern).map { String($0.1) })
    #expect(named.isSuperset(of: ["gc", "verify"]))
    let help = try Command.cachectl("--help").succeed().output
    for command in named {
      #expect(help.contains("\n  \(command) "), "cachectl \(command)")
    }
  }

  @Test("every file that the README links to exists")
  func links() {
    for match in readme.matches(of: #/\]\(([^)#:]+)\)/#) {
      #expect(
        FileManager.default.fileExists(atPath: Repository.path(String(match.1))), "\(match.1)")
    }
  }

  @Test("CI runs the README's test command")
  func ci() throws {
    #expect(try Repository.text(".ci/run").contains("make test"))
  }
}
