import Foundation
import TestSupport
import Testing

/// TAB pressed in the shells themselves, on the real command.
@Suite("completion") struct CompletionTests {
  let cache: TestCache
  static let shells = ["bash", "zsh", "fish"]

  init() throws {
    cache = try TestCache()
    try cache.put("https://img.example/alpha.png", Sample.png)
    try cache.put("https://img.example/beta.png", Sample.png)
    try cache.put("https://img.example/x?token=hidden7", Sample.png)
  }

  func session(_ shell: String) throws -> ShellSession {
    let folder = cache.directory.appending("completions")
    let tools = cache.directory.appending("bin")
    try Command("mkdir", ["-p", folder, tools, cache.directory.appending("work/sub")]).succeed()
    try Command("ln", ["-sf", Repository.cachectl, tools + "/cachectl"]).succeed()
    for (shipped, name) in [
      ("cachectl.bash", "cachectl"), ("_cachectl", "_cachectl"), ("cachectl.fish", "cachectl.fish"),
    ] {
      try Command("cp", [Repository.path("completions/" + shipped), "\(folder)/\(name)"]).succeed()
    }
    return try ShellSession(
      shell, tool: "cachectl", in: cache.directory.appending("work"), tools: tools,
      completions: folder)
  }

  @Test("commands, options and the words of options are offered", arguments: shells)
  func words(_ shell: String) throws {
    let session = try session(shell)
    let commands = try session.list("cachectl ")
    for command in [
      "init", "put", "get", "rm", "ls", "show", "stat", "gc", "compact", "import", "config", "key",
    ] {
      #expect(commands.contains(command), "\(command)")
    }
    #expect(!commands.contains("__keys"))
    #expect(try session.list("cachectl ls --").contains("--larger-than"))
    #expect(try session.list("cachectl ls --sort ").contains("stored"))
    #expect(try session.list("cachectl config m").contains("min-free-inodes"))
  }

  @Test("keys of the cache are offered for get, show and rm, and no secret is", arguments: shells)
  func keys(_ shell: String) throws {
    let session = try session(shell)
    for command in ["get", "show", "rm"] {
      let offered = try session.list(
        "cachectl --root \(cache.root) \(command) https://img.example/")
      #expect(offered.contains("alpha.png"), "\(command): \(offered)")
      #expect(offered.contains("beta.png"), "\(command): \(offered)")
      #expect(!offered.contains("hidden7"))
    }
  }

  @Test("a key that is completed is the key", arguments: shells)
  func completed(_ shell: String) throws {
    let session = try session(shell)
    let shown = try session.run("cachectl --root \(cache.root) show https://img.example/al\t")
    #expect(shown.contains("state     sound"), "\(shown)")
  }

  @Test("directories are offered for --root", arguments: shells)
  func directories(_ shell: String) throws {
    #expect(try session(shell).list("cachectl --root s").contains("sub"))
  }
}
