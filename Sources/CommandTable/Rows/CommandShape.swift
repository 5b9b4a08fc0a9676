/// What renderings need to know of a tool: a plain value, of which each of them is a function.
struct ToolShape: Sendable {
  let name: String
  let summary: String
  let date: String
  let page: Page
  let rows: RowShapes
  /// Those that are not hidden.
  let commands: [CommandShape]
}

/// What parser and renderings need to know of a command.
struct CommandShape: Sendable {
  let name: String
  let summary: String
  let page: Page
  let rows: RowShapes
}

/// Rows without their properties, by kind.
struct RowShapes: Sendable {
  var options: [OptionShape] = []
  var arguments: [ArgumentShape] = []
  var rules: [Rule] = []

  init() {}

  init<Options>(_ rows: [Row<Options>]) {
    for row in rows {
      switch row {
      case .option(let option): options.append(option.shape)
      case .argument(let argument): arguments.append(argument.shape)
      case .rule(let rule): rules.append(rule)
      }
    }
  }
}
