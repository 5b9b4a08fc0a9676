import Foundation
import TestSupport
import Testing

@testable import CachectlCLI

@Suite("exit status") struct ExitStatusTests {
  @Test("the table of the manual is the table of the program")
  func table() throws {
    let page = try Command("mandoc", ["-T", "utf8", Repository.path("man/cachectl.1")]).succeed()
      .output.replacing(#/.\u{8}/#, with: "")
    let section = try #require(page.split(separator: "EXIT STATUS").last)
    for status in ExitStatus.allCases {
      let start = status.meaning.replacing("`", with: "").prefix(20)
      #expect(
        section.lowercased().contains(#/ {2,}\#(status.rawValue) +\#(start.lowercased())/#)
          || section.lowercased().contains("\(status.rawValue)       \(start.lowercased())"),
        "\(status)")
    }
  }

  static let runs: [([String], Int32, String)] = [
    ([], 2, "a command is missing"), (["nope"], 2, "unknown command"), (["lss"], 2, "did you mean"),
    (["ls", "--nope"], 2, "unknown option"), (["ls", "--limit", "x"], 2, "--limit"),
    (["ls", "--limit", "-1"], 2, "--limit"),
    (["ls", "--limit=99999999999999999999"], 2, "--limit"),
    (["ls", "--older-than", "7"], 2, "--older-than"),
    (["ls", "--larger-than", "x"], 2, "--larger-than"),
    (["ls", "--sort", "size"], 2, "--sort"), (["ls", "-r"], 2, "--sort"), (["get"], 2, "KEY"),
    (["get", ""], 2, "empty"), (["get", "nope"], 1, "nope"), (["show", "nope"], 1, "nope"),
    (["put", "k"], 2, "FILE"), (["put", "k", "/no/such"], 3, "/no/such"),
    (["put", "k", "/tmp"], 3, "/tmp"), (["put", "k", "-", "--cost", "-1"], 2, "--cost"),
    (["import", "/tmp"], 2, "--base-url"), (["import", "--base-url", "x"], 2, "PATH"),
    (["rm"], 2, "KEY"), (["rm", "k", "--host", "h"], 2, "exclude"),
    (["rm", "--prefix", ""], 2, "--prefix"),
    (["rm", "--from", "/no/such"], 3, "/no/such"), (["config", "nope"], 2, "nope"),
    (["gc"], 2, "no budget"), (["--json", "get", "k"], 2, "--output"),
    (["--json", "stat", "--metrics"], 2, "--metrics"), (["stat", "--check", "x"], 2, "--check"),
  ]

  @Test("each kind of trouble has its status and names what it is about", arguments: runs)
  func run(_ words: [String], _ status: Int32, _ said: String) throws {
    let cache = try TestCache()
    let result = try cache.command(words).run()
    #expect(result.status == status, "\(words): \(result.errors)")
    #expect(result.errors.contains(said), "\(words): \(result.errors)")
  }

  static let commands: [[String]] = [
    ["ls"], ["show", "k"], ["get", "k"], ["put", "k", "/etc/hostname"], ["key", "k"], ["rm", "k"],
    ["stat"], ["compact"], ["config"], ["import", "/etc/hostname", "--base-url", "x"],
    ["gc", "--max-count", "0"],
  ]

  @Test("a root that is no cache is status 6 and named with its source", arguments: commands)
  func notACache(_ words: [String]) throws {
    let folder = try TemporaryDirectory()
    try write([1], to: folder.appending("file"))
    for root in ["/", folder.path, folder.appending("file"), folder.appending("none")] {
      let result = try Command(Repository.cachectl, ["--root", root] + words).run()
      #expect(result.status == 6, "\(root) \(words): \(result.errors)")
      #expect(result.errors.contains(root) && result.errors.contains("--root"), "\(result.errors)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
  }

  @Test("a newer layout is refused for writing, and read where it can be")
  func newerLayout() throws {
    let cache = try TestCache()
    try cache.put("k", [1])
    let path = cache.root + "/cachectl.json"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try write(Array(text.replacing("\"cachectl\":1", with: "\"cachectl\":2").utf8), to: path)
    for words in [
      ["put", "k", "/etc/hostname"], ["rm", "k"], ["compact"], ["gc", "--max-count", "0"],
    ] {
      let result = try cache.command(words).run()
      #expect(result.status == 6, "\(words)")
      #expect(result.errors.contains("layout 2"))
    }
    #expect(try cache.succeed("get", "k").outputBytes == [1])
    #expect(try cache.listed() == ["k"])
  }

  static let configurations = [
    "", "{", "[]", "null", "{}", "{\"cachectl\":0}", "{\"cachectl\":\"1\"}", "{\"cachectl\":1e400}",
    "{\"cachectl\":1,\"max_bytes\":-1}", "{\"cachectl\":1,\"shared\":\"everybody\"}", "\u{feff}x",
  ]

  @Test("a cachectl.json that is none is status 6 with the reason", arguments: configurations)
  func brokenConfiguration(_ text: String) throws {
    let cache = try TestCache()
    try write(Array(text.utf8), to: cache.root + "/cachectl.json")
    let result = try cache.run("ls")
    #expect(result.status == 6)
    #expect(result.errors.contains("cachectl.json"))
  }
}
