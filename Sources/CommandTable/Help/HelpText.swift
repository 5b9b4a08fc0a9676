/// How much of the help is asked for.
enum HelpLength: Sendable { case brief, full }

/// The help of a tool or of one of its commands, as lines for a terminal.
struct HelpText {
  let tool: ToolShape
  let command: CommandShape?

  private static let ofEveryTool = ["help", "completions"]

  var brief: [String] {
    guard let command else {
      let globals = "Options of every command: " + tool.rows.options.map(\.synopsis).listed
      // Those that every tool has are named below: the list has to fit a screen.
      let own = tool.commands.filter { !Self.ofEveryTool.contains($0.name) }
      return head(tool.summary) + [""] + Columns(rows: own.map { ($0.name, [$0.summary]) }).lines
        + wrapped(globals, width: Columns.screen)
        + ["More: \(tool.name) --help, \(tool.name) help COMMAND, \(tool.name) completions SHELL"]
    }
    let rows = Columns(rows: arguments(command) + options(command.rows.options)).lines
    return head(command.summary) + (rows.isEmpty ? [] : [""] + rows) + [
      "", "More: \(name) --help. Options of every command: \(tool.name) -h",
    ]
  }

  var full: [String] {
    let page = command?.page.joined(with: tool.page) ?? tool.page
    var lines = head(command?.summary ?? tool.summary)
    for paragraph in paragraphs(page.description) {
      lines += [""] + wrapped(paragraph.plain, width: Columns.screen)
    }
    if let command {
      lines += section("Arguments", Columns(rows: arguments(command)).lines)
      lines += section("Options", Columns(rows: options(command.rows.options, details: true)).lines)
      lines += section("Rules", command.rows.rules.map { "  " + $0.sentence.plain })
    } else {
      lines += section("Commands", commands)
    }
    let globals = Columns(rows: options(tool.rows.options, details: true)).lines
    lines += section("Options of every command", globals)
    return lines + tables(page)
  }

  private func tables(_ page: Page) -> [String] {
    let tables = [
      ("Environment", page.environment), ("Files", page.files), ("Exit status", page.exitStatus),
    ]
    return tables.flatMap { title, terms in
      section(title, Columns(rows: terms.map { ($0.name, [$0.meaning]) }).lines)
    }
      + section(
        "Examples", page.examples.flatMap { ["  " + $0.line, "      " + $0.meaning.plain] })
  }
}

extension HelpText {
  private var name: String { command.map { tool.name + " " + $0.name } ?? tool.name }

  private func head(_ summary: String) -> [String] {
    let words = command?.rows.synopsis ?? ["[OPTION]...", "COMMAND", "[ARGUMENT]..."]
    return ["Usage: " + ([name] + words).spaced, summary.plain.sentence]
  }

  private var commands: [String] {
    Columns(rows: tool.commands.map { ($0.name, [$0.summary]) }).lines
  }

  private func arguments(_ command: CommandShape) -> [(String, [String])] {
    command.rows.arguments.map { ($0.name, [$0.help]) }
  }

  private func options(_ options: [OptionShape], details: Bool = false) -> [(String, [String])] {
    let hasShort = options.contains { $0.short != nil }
    return options.map { option in
      let short = option.shortSpelling.map { $0 + ", " } ?? (hasShort ? "    " : "")
      return (short + option.synopsis, [option.help] + (details ? option.paragraphs : []))
    }
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["", title + ":"] + lines
  }
}

extension RowShapes {
  /// What follows the command's name in a usage line.
  var synopsis: [String] {
    let required = options.filter(\.isRequired).map(\.synopsis)
    let others = options.contains { !$0.isRequired } ? ["[OPTION]..."] : []
    return required + others + arguments.map(\.synopsis)
  }
}

extension [String] {
  var listed: String { joined(separator: ", ") }
}
