extension Tool {
  /// The help of a command, or of the tool where none is named.
  func help(for command: String?, _ length: HelpLength) -> String {
    let shape = command.flatMap { name in commands.first { $0.name == name }?.shape }
    let text = HelpText(tool: outline, command: shape)
    return (length == .brief ? text.brief : text.full).map { $0 + "\n" }.joined()
  }

  /// `help [COMMAND]`, which every tool has.
  var helpCommand: Command<Global> {
    Command("help", "show the help of a command", helpPage) { [self] in
      let names = ownCommands.filter { !$0.isHidden }.map { ($0.name, $0.name, $0.summary) }
      let row = Argument<HelpOptions>(
        "COMMAND", \.command, value: .oneOf(names), help: "the command; without one, the tool")
      return OpenCommand([.argument(row)], HelpOptions()) { _, options in
        .show(help(for: options.command, .full))
      }
    }
  }
}

private let helpPage = Page(
  description: "Shows all of the help of a command, as the command does with `--help`. "
    + "With `-h` a command shows as much of its help as fits on one screen.")

private struct HelpOptions: Sendable { var command: String? }
