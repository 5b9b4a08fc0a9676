extension Tool {
  /// What is wrong with the table itself, a sentence each; a test expects none.
  ///
  /// Among other things, `-h` of the tool and of every command must fit a screen of 80 columns and
  /// `screenLines` lines, and every example must parse.
  public func problems(screenLines: Int = 24) -> [String] {
    let tool = shape
    let globals = tool.rows.options
    var problems = legal("the tool", name, as: .word) + prose(name, summary)
    problems += repeated(commands.map(\.name)).map { "two commands are called \($0)" }
    for command in commands {
      let shape = command.shape
      let kind: NameKind = command.isHidden ? .hidden : .word
      problems += legal("command", command.name, as: kind) + prose(command.name, command.summary)
      problems += shape.rows.problems(command.name, globals: globals)
      problems += shape.rows.values.flatMap { problem(of: $0, in: command.name) }
      if command.isHidden { continue }
      if shape.page.description.isEmpty { problems.append("\(command.name): no description") }
      problems += tall(HelpText(tool: tool, command: shape), command.name, screenLines)
    }
    problems += RowShapes(rows()).problems(name, globals: OptionShape.ofEveryTool)
    problems += tool.rows.values.flatMap { problem(of: $0, in: name) }
    problems += tall(HelpText(tool: tool, command: nil), name, screenLines)
    return problems + examples(tool)
  }

  /// A value whose words cannot be typed, or whose command for completion does not exist.
  private func problem(of value: ValueShape, in owner: String) -> [String] {
    if value.placeholder.isEmpty || value.placeholder.contains(" ") {
      return ["\(owner): a value is called \"\(value.placeholder)\""]
    }
    guard case .call(let name) = value.completion else {
      let words = value.choices.map(\.word)
      return repeated(words).map { "\(owner): the word \($0) stands twice" }
        + words.flatMap { legal("\(owner): word", $0, as: .choice) }
    }
    let called = commands.first { $0.name == name }?.shape.rows.arguments.count
    return called == 1 ? [] : ["\(owner): completion calls \(name), no command of one argument"]
  }

  private func tall(_ help: HelpText, _ owner: String, _ lines: Int) -> [String] {
    let brief = help.brief
    let long = brief.filter { $0.count > Columns.screen }
    return long.map { "\(owner): -h has a line of more than \(Columns.screen) columns: \($0)" }
      + (brief.count > lines ? ["\(owner): -h has \(brief.count) lines, more than \(lines)"] : [])
  }

  private func examples(_ tool: ToolShape) -> [String] {
    let examples = tool.page.examples + tool.commands.flatMap(\.page.examples)
    return examples.flatMap { example -> [String] in
      guard let words = shellWords(example.line, of: name) else {
        return ["the example \"\(example.line)\" does not run \(name)"]
      }
      guard case .failure(let error) = parse(words) else { return [] }
      return ["the example \"\(example.line)\" is wrong: \(error.message)"]
    }
  }
}
