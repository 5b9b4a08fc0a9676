/// A shell that completes what is typed.
public enum Shell: String, Sendable, CaseIterable { case bash, zsh, fish }

extension Tool {
  /// The completion script of a shell.
  public func completions(for shell: Shell) -> String {
    switch shell {
    case .bash: BashCompletion(tool: shape).script
    case .zsh: ZshCompletion(tool: shape).script
    case .fish: FishCompletion(tool: shape).script
    }
  }

  /// `completions bash|zsh|fish`, which every tool has.
  var completionsCommand: Command<Global> {
    Command("completions", "print the completion script of a shell", completionsPage(name)) {
      [self] in
      let row = Argument<CompletionsOptions>(
        "SHELL", \.shell, value: .oneOf(Shell.self), help: "the shell", required: true)
      return OpenCommand([.argument(row)], CompletionsOptions()) { _, options in
        .show(options.shell.map(completions) ?? "")
      }
    }
  }
}

private func completionsPage(_ tool: String) -> Page {
  Page(
    description: """
      Prints a script that teaches a shell the commands, options and values of `\(tool)`. The \
      scripts need no other package. Packages install them; by hand, each goes where its shell \
      looks: in fish a directory of `$fish_complete_path`, in zsh, as `_\(tool)`, one of `$fpath`.
      """,
    examples: [
      Example("source <(\(tool) completions bash)", "complete in this bash"),
      Example(
        "\(tool) completions fish > ~/.config/fish/completions/\(tool).fish",
        "complete in every fish from now on"),
    ])
}

private struct CompletionsOptions: Sendable { var shell: Shell? }
