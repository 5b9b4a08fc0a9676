/// An interactive shell that has loaded a completion script the way that an installed one is loaded.
public final class ShellSession {
  private let terminal: Terminal
  private let name: String

  /// Starts `bash`, `zsh` or `fish` in a directory, with tools found in another one first.
  ///
  /// `completions` holds the tool's scripts under the names of bash-completion, zsh and fish:
  /// `tool`, `_tool` and `tool.fish`.
  public init(
    _ shell: String, tool: String, in directory: String, tools: String, completions: String
  ) throws {
    name = shell
    let environment = [
      "PATH": "\(tools):/usr/bin:/bin", "HOME": directory, "TERM": "xterm", "LC_ALL": "C.UTF-8",
      "INPUTRC": "/dev/null", "XDG_CONFIG_HOME": directory, "XDG_DATA_HOME": directory,
    ]
    terminal = try Terminal(
      shell, Self.arguments[shell] ?? [], environment: environment, directory: directory)
    for line in Self.setUp(shell, tool, completions) { try terminal.type(line + "\r") }
    try settle()
  }

  /// Types keys and Enter and returns all that was shown: the line, and what it printed.
  public func run(_ keys: String) throws -> String {
    try terminal.type(keys + "\r")
    return try settle()
  }

  /// Types keys and TAB until the shell lists what it offers, and returns all that was shown.
  public func list(_ keys: String) throws -> String {
    // A second TAB would choose from the list that fish shows at the first.
    try terminal.type(keys + (name == "fish" ? "\t" : "\t\t") + Self.abandon)
    return try settle()
  }

  /// Waits until the shell has done all that was typed, and returns what was shown.
  @discardableResult
  private func settle() throws -> String {
    // The quotes keep the line as typed from looking like what it prints.
    try terminal.type("echo SETT''LED\r")
    return try terminal.take(until: "SETTLED\n")
  }
}

extension ShellSession {
  /// Control-O, which is bound to giving the line up; Control-C would not wait for its turn.
  private static let abandon = "\u{0F}"

  private static let arguments = [
    "bash": ["--norc", "--noprofile", "-i"], "zsh": ["-f", "-i"], "fish": ["--no-config", "-i"],
  ]

  private static func setUp(_ shell: String, _ tool: String, _ completions: String) -> [String] {
    switch shell {
    case "bash":
      [
        "PS1='@ '", "bind 'set completion-query-items 0'", "bind 'set page-completions off'",
        "bind 'set bell-style none'", "bind '\"\\C-o\": kill-whole-line'",
        ". \(completions)/\(tool)",
      ]
    case "zsh":
      [
        "PROMPT='@ ' LISTMAX=1000; setopt no_beep no_prompt_sp; bindkey '^O' kill-whole-line",
        "fpath=(\(completions) $fpath)",
        "autoload -U compinit && compinit -u -D",
      ]
    default:
      [
        "function fish_prompt; echo '@ '; end", "set -g fish_autosuggestion_enabled 0",
        "bind \\co cancel-commandline",
        "set -p fish_complete_path \(completions)",
      ]
    }
  }
}
