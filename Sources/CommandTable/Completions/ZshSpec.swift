/// The arguments of zsh's `_arguments`, quoted.
enum ZshSpec {
  /// One for each spelling of each option of a command, or of every command.
  static func options(of command: CommandShape?, in tool: ToolShape) -> [String] {
    let rows = command?.rows ?? tool.rows
    return rows.options.flatMap { option in
      option.spellings.map { spelling in
        let excluded = excluded(by: option, in: rows)
        let prefix = option.repeats ? "*" : "(\(excluded.spaced))"
        let value = option.value.map { ":" + self.value($0, option.key(command), tool) } ?? ""
        let colon = option.valueIsOptional ? ":" : ""
        return
          (prefix + spelling + join(option, spelling) + "[\(escaped(option.help.plain))]"
          + colon + value).quotedForSh
      }
    }
  }

  static func argument(
    _ argument: ArgumentShape, of command: CommandShape, in tool: ToolShape
  ) -> String {
    let place = argument.repeats ? "*:" : argument.isRequired ? ":" : "::"
    return (place + value(argument.value, argument.key(command), tool)).quotedForSh
  }

  /// How a value is joined to its option.
  private static func join(_ option: OptionShape, _ spelling: String) -> String {
    guard option.value != nil else { return "" }
    if option.valueIsOptional { return spelling == option.long ? "=-" : "-" }
    return spelling == option.long ? "=" : "+"
  }

  /// The options that are not offered once this one is given.
  private static func excluded(by option: OptionShape, in rows: RowShapes) -> [String] {
    let others = rows.rules.flatMap { rule -> [String] in
      switch rule {
      case .atMostOne(let names), .exactlyOne(let names):
        names.contains(option.long) ? names : []
      case .atLeastOne, .needs: []
      }
    }
    return rows.options.filter { $0.name == option.name || others.contains($0.long) }
      .flatMap(\.spellings)
  }

  /// `MESSAGE:ACTION`.
  private static func value(_ value: ValueShape, _ key: String, _ tool: ToolShape) -> String {
    let action =
      switch value.completion {
      case .nothing: " "
      case .file: "_files"
      case .directory: "_files -/"
      case .words: " _\(tool.name)_words \(key)"
      case .call(let command): " _\(tool.name)_call \(command)"
      }
    // A message is printed with the percent escapes of a prompt.
    let message = value.placeholder.flatMap { $0 == "%" ? "%%" : String($0) }
    return escaped(String(message)) + ":" + action
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, sign in
      escaped += "\\[]:".contains(sign) ? "\\\(sign)" : String(sign)
    }
  }
}
