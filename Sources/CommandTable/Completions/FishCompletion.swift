/// The completion script of fish, one `complete` a row.
struct FishCompletion {
  let tool: ToolShape

  var script: String {
    ([head, walk, waiting, call, words] + ["complete -c \(name) -f"] + commands + options
      + arguments)
      .joined(separator: "\n") + "\n"
  }

  var name: String { tool.name }

  private var head: String {
    """
    # Completion of \(name) for fish, rendered from its table of commands.

    """
  }

  private var commands: [String] {
    tool.commands.map {
      "complete -c \(name) -n '__\(name)_at \"\"' -a \($0.name) -d \($0.summary.plain.quotedForFish)"
    }
  }

  private var options: [String] {
    tool.optionsByCommand.flatMap { command, options in
      options.map { option in
        let condition = command.map { " -n '__\(name)_at \($0.name)'" } ?? ""
        let short = option.short.map { " -s \($0)" } ?? ""
        let value = option.value.map {
          (option.valueIsOptional ? "" : " -r") + offer($0, option.key(command))
        }
        return "complete -c \(name)\(condition)\(short) -l \(option.name)\(value ?? "")"
          + " -d \(option.help.plain.quotedForFish)"
      }
    }
  }

  private var arguments: [String] {
    tool.commands.flatMap { command in
      command.rows.arguments.enumerated().compactMap { place, argument in
        guard argument.value.completion != .nothing else { return nil }
        let last = argument.repeats ? " more" : ""
        return "complete -c \(name) -n '__\(name)_argument \(command.name) \(place)\(last)'"
          + offer(argument.value, argument.key(command))
      }
    }
  }

  private func offer(_ value: ValueShape, _ key: String) -> String {
    switch value.completion {
    case .nothing: " -f"
    case .file: " -F"
    case .directory: " -f -a '(__fish_complete_directories)'"
    case .words: " -f -a '(__\(name)_words \(key))'"
    case .call(let command): " -f -a '(__\(name)_call \(command))'"
    }
  }

  private var words: String {
    let cases = tool.choices.map { key, choices in
      let pairs = choices.map { "\($0.word) \($0.help.plain.quotedForFish)" }
      return "        case \(key)\n            printf '%s\\t%s\\n' \(pairs.spaced)\n"
    }
    return """
      function __\(name)_words
          switch $argv
      \(cases.joined())    end
      end

      """
  }
}
