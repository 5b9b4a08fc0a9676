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
    Command("completions", "print the completion script of a shell", Page()) { [self] in
      let row = Argument<CompletionsOptions>(
        "SHELL", \.shell, value: .oneOf(Shell.self), help: "the shell", required: true)
      return OpenCommand([.argument(row)], CompletionsOptions()) { _, options in
        .show(options.shell.map(completions) ?? "")
      }
    }
  }
}

private struct CompletionsOptions: Sendable { var shell: Shell? }
