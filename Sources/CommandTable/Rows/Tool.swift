/// A program: its global options and its commands.
public struct Tool<Global: Sendable>: Sendable {
  /// The name, as it is typed.
  public let name: String
  let summary: String
  let version: @Sendable () -> String
  let date: String
  let page: Page
  let global: Global
  let rows: @Sendable () -> [Row<Global>]
  let ownCommands: [Command<Global>]

  /// Declares a tool.
  ///
  /// Without a line to say otherwise its global options are `global`.
  /// `version` is the text that `--version` shows. `date` stands in the man pages:
  /// `November 30, 2025`. The page's exit status, environment, files and references appear on every
  /// command's page as well. `-h`, `--help`, `--version` and the commands `help` and `completions`
  /// are added to every tool.
  public init(
    _ name: String, _ summary: String, version: @escaping @Sendable () -> String, date: String,
    _ global: Global, page: Page = Page(),
    @RowBuilder<Global> rows: @escaping @Sendable () -> [Row<Global>],
    commands: () -> [Command<Global>]
  ) {
    self.name = name
    self.summary = summary
    self.version = version
    self.date = date
    self.page = page
    self.global = global
    self.rows = rows
    ownCommands = commands()
  }

  var commands: [Command<Global>] { ownCommands + [helpCommand, completionsCommand] }

  var shape: ToolShape { shape { $0.shape } }

  /// The shape without its commands' rows, which take most of the time to build.
  var outline: ToolShape {
    shape { CommandShape(name: $0.name, summary: $0.summary, page: $0.page, rows: RowShapes()) }
  }

  private func shape(of command: (Command<Global>) -> CommandShape) -> ToolShape {
    var rows = RowShapes(rows())
    rows.options += OptionShape.ofEveryTool
    return ToolShape(
      name: name, summary: summary, date: date, page: page, rows: rows,
      commands: commands.filter { !$0.isHidden }.map(command))
  }
}

/// The words that this process was given, without its name, as the bytes that they are.
public func processArguments() -> [[UInt8]] {
  (0..<Int(CommandLine.argc)).dropFirst().compactMap { at in
    CommandLine.unsafeArgv[at].map { word in
      Array(UnsafeRawBufferPointer(start: word, count: length(word)))
    }
  }
}

private func length(_ word: UnsafeMutablePointer<CChar>) -> Int {
  var length = 0
  while word[length] != 0 { length += 1 }
  return length
}
