import Foundation
import TestSupport
import Testing

@Suite("completion by TAB, in the shell itself") struct CompletionTests {
  static let shells = ["bash", "zsh", "fish"]
  private let tool: ExampleTool
  private var home: String { tool.home }

  init() throws {
    tool = try ExampleTool()
    let files = FileManager.default
    try files.createDirectory(atPath: home + "/sub", withIntermediateDirectories: true)
    for file in ["a file", "sub/inner.txt", "plan"] {
      #expect(files.createFile(atPath: home + "/" + file, contents: nil))
    }
  }

  private func session(_ shell: String) throws -> ShellSession {
    try ShellSession(
      shell, tool: "example", in: home, tools: tool.tools, completions: tool.scripts)
  }

  /// Types each line and expects its command to print the text.
  private func expect(_ shell: String, _ lines: [(typed: String, prints: String)]) throws {
    let session = try session(shell)
    for line in lines {
      let shown = try session.run(line.typed)
      #expect(
        shown.contains(line.prints + "\n"), "\(shell): \(line.typed.debugDescription)\n\(shown)")
    }
  }

  @Test("commands, options and values are completed", arguments: shells)
  func words(shell: String) throws {
    try expect(
      shell,
      [
        ("example ge\t x", "get <x> <>"),
        ("example --col\tne\t rm x", "rm <x>"),
        (
          "example --json rm x --pre\tq",
          "example rm: KEY and --prefix exclude each other: give one of them"
        ),
        (
          "example trim --measure by\t -v | tail -1 | grep -o 'measure: \"[a-z]*\"'",
          "measure: \"bytes\""
        ),
        (
          "example trim --measure=by\t -v | tail -1 | grep -o 'measure: \"[a-z]*\"'",
          "measure: \"bytes\""
        ),
        ("example trim --images=de\t | grep -o 'images: [^ ]*'", "images: Optional(\"decode\"),"),
        ("example help ge\t | head -1", "Usage: example get KEY [FILE]"),
      ])
  }

  @Test("keys with signs that mean something to the shell are completed", arguments: shells)
  func keys(shell: String) throws {
    try expect(
      shell,
      [
        ("example get on\t", "get <only:one:of=us> <>"),
        ("example get only:one:o\t", "get <only:one:of=us> <>"),
        ("example get https://img.example/a\t", "get <https://img.example/a b.jpg> <>"),
        ("example get https://img.example/c\t", "get <https://img.example/c.png?w=1&h=2> <>"),
        ("example get \"https://img.example/c\t", "get <https://img.example/c.png?w=1&h=2> <>"),
        ("example get it\t", "get <it's \"$HOME\" `x`> <>"),
        ("example get \"it\t", "get <it's \"$HOME\" `x`> <>"),
        ("example get 'it\t", "get <it's \"$HOME\" `x`> <>"),
        ("example get back\t", "get <back\\slash> <>"),
        ("example get \\~t\t", "get <~tilde> <>"),
        ("example get sn\t", "get <snow ☃> <>"),
        ("example get zw\t", "get <zwei\nlines> <>"),
        ("example rm on\t -- -d\t sn\t", "rm <only:one:of=us><-dash><snow ☃>"),
      ])
  }

  /// fish 3.6 takes ? as a wildcard in a path whose quote is open, whatever is offered for it.
  @Test("a key is completed from the middle of an URL's query", arguments: ["bash", "zsh"])
  func query(shell: String) throws {
    let typed = "example get 'https://img.example/c.png?w=1&\t"
    try expect(shell, [(typed, "get <https://img.example/c.png?w=1&h=2> <>")])
  }

  @Test(
    "what keys have in common is inserted whole, and then the keys are listed", arguments: shells)
  func common(shell: String) throws {
    // zsh inserts the backslash that both keys have next, too.
    let space = shell == "zsh" ? " " : "\\ "
    try expect(shell, [("example get pai\t\(space)\t", "get <pair one> <>")])
    let listed = try session(shell).list("example get pai\t")
    #expect(listed.contains("one") && listed.contains("two"), "\(listed)")
    #expect(try !session(shell).list("example get https://i\t").contains("only"))
  }

  @Test("files are offered for files and only directories for directories", arguments: shells)
  func files(shell: String) throws {
    try expect(
      shell,
      [
        ("example get k a\t", "get <k> <a file>"),
        ("example get k sub/i\t", "get <k> <sub/inner.txt>"),
        ("example trim -np a\t | grep -o 'plan: [^,]*'", "plan: Optional([97"),
        ("example trim --plan=a\t | grep -o 'plan: [^,]*'", "plan: Optional([97"),
      ])
    let listed = try session(shell).list("example --root ")
    #expect(listed.contains("sub") && !listed.contains("plan"), "\(listed)")
  }

  @Test("the callback is given the root that the line names", arguments: shells)
  func root(shell: String) throws {
    try expect(
      shell,
      [
        ("example --root /x get r\t", "get <root=/x> <>"),
        ("example --root=/x get r\t", "get <root=/x> <>"),
        ("example get --root '/x y' r\t", "get <root=/x y> <>"),
        ("example --root ~/x get r\t", "get <root=\(home)/x> <>"),
        ("example --root $HOME/x get r\t", "get <root=\(home)/x> <>"),
        ("../tools/example --root /x get r\t", "get <root=/x> <>"),
        ("~/../tools/example --root /x get r\t", "get <root=/x> <>"),
      ])
  }

  @Test(
    "TAB after - offers every option, and help beside it where the shell can", arguments: shells)
  func options(shell: String) throws {
    let listed = try session(shell).list("example trim -")
    for option in [
      "--root", "--json", "--color", "--verbose", "--help", "--version", "--max-mb", "--age",
      "--target", "--measure", "--host", "--images", "--plan", "--apply", "--dry-run", "--full",
      "--free",
    ] {
      #expect(listed.contains(option), "\(option) in \(listed)")
    }
    guard shell != "bash" else { return }
    for help in [
      "megabytes at most [1 MB is 10^6 bytes]", "drop what's older: 90s, 15m, 12h, 7d, 4w",
      "go down to this share ($HOME, date)", #"what counts: it's "length" or disk"#,
      #"save the plan \ to FILE"#, "keep 100% free [%d %B]",
    ] {
      #expect(listed.contains(help), "\(help) in \(listed)")
    }
  }

  @Test("commands are offered where a command goes, the hidden ones never", arguments: shells)
  func commands(shell: String) throws {
    let listed = try session(shell).list("example --root /x ")
    for command in ["trim", "get", "rm", "help", "completions"] {
      #expect(listed.contains(command), "\(command) in \(listed)")
    }
    #expect(!listed.contains("__keys"))
  }

  @Test("values of an enumeration are offered with their meaning", arguments: ["zsh", "fish"])
  func meanings(shell: String) throws {
    let listed = try session(shell).list("example trim --measure ")
    for text in ["lengths: [exact] 'sum'", "allocated blocks, $x", "directories"] {
      #expect(listed.contains(text), "\(text) in \(listed)")
    }
  }

  @Test("zsh shows what a value is called, percent signs and all")
  func placeholder() throws {
    let session = try session("zsh")
    _ = try session.run("zstyle ':completion:*' format '<%d>'")
    #expect(try session.list("example trim --free ").contains("<SIZE|%>"))
  }

  @Test("bash completes whatever ends its words", arguments: ["", "COMP_WORDBREAKS=' '"])
  func wordBreaks(setting: String) throws {
    let session = try session("bash")
    _ = try session.run(setting)
    for typed in [
      "https://img.example/c", "\"https://img.example/c", "https://img.example/c.png\\?w=1",
    ] {
      let shown = try session.run("example get \(typed)\t")
      #expect(shown.contains("get <https://img.example/c.png?w=1&h=2> <>"), "\(shown)")
    }
  }

  @Test("completion runs nothing that the line contains", arguments: shells)
  func runsNothing(shell: String) throws {
    let session = try session(shell)
    for text in ["$(touch made)", "`touch made`", "$HOME$(touch made)"]
    where shell != "fish" || !text.contains("`") {
      _ = try session.list("example --root \(text) get r")
    }
    #expect(!FileManager.default.fileExists(atPath: home + "/made"))
  }
}
