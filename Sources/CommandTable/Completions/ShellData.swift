// What the completions of all three shells are made from.

extension ToolShape {
  /// The options of every command, with nil, and then those of each.
  var optionsByCommand: [(command: CommandShape?, options: [OptionShape])] {
    [(nil, rows.options)] + commands.map { ($0, $0.rows.options) }
  }

  /// Every set of words that a value can be, by the key that scripts look it up with.
  var choices: [(key: String, choices: [Choice])] {
    let options = optionsByCommand.flatMap { command, options in
      options.map { ($0.key(command), $0.value) }
    }
    let arguments = commands.flatMap { command in
      command.rows.arguments.map { ($0.key(command), Optional($0.value)) }
    }
    return (options + arguments).map { ($0, $1?.choices ?? []) }.filter { !$0.1.isEmpty }
  }

  /// The options that the commands which completion calls are given as well.
  var forwarded: [String] {
    rows.options.filter(\.isForwarded).flatMap(\.spellings)
  }
}

extension OptionShape {
  /// `command--name`: one word, and no other row's.
  func key(_ command: CommandShape?) -> String { (command?.name ?? "") + long }
}

extension ArgumentShape {
  /// `command:NAME`.
  func key(_ command: CommandShape) -> String { command.name + ":" + name }
}

extension String {
  /// The text as one word of bash and zsh.
  var quotedForSh: String {
    "'" + reduce(into: "") { $0 += $1 == "'" ? "'\\''" : String($1) } + "'"
  }

  /// The text as one word of fish, where a backslash counts within quotes.
  var quotedForFish: String {
    "'" + reduce(into: "") { $0 += $1 == "'" || $1 == "\\" ? "\\\($1)" : String($1) } + "'"
  }
}
