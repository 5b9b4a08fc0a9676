/// A command of a tool: its rows, its page, and what it runs.
///
/// Its rows are built when a line names the command, or when the help or a page shows them.
public struct Command<Global: Sendable>: Sendable {
  /// The name, as it is typed.
  public let name: String
  let summary: String
  let page: Page
  let isHidden: Bool
  let open: @Sendable () -> OpenCommand<Global>

  /// Declares a command.
  ///
  /// Without a line to say otherwise its options are `options`. A hidden command can be run and appears nowhere. `run` returns the exit status.
  public init<Options: Sendable>(
    _ name: String, _ summary: String, _ options: @autoclosure @escaping @Sendable () -> Options,
    page: Page = Page(), hidden: Bool = false,
    @RowBuilder<Options> rows: @escaping @Sendable () -> [Row<Options>],
    run: @escaping @Sendable (Global, Options) -> Int32
  ) {
    self.init(name, summary, page, hidden) {
      OpenCommand(rows(), options()) { global, options in
        .run(Run(command: name, global: global) { run(global, options) })
      }
    }
  }

  init(
    _ name: String, _ summary: String, _ page: Page, _ isHidden: Bool = false,
    open: @escaping @Sendable () -> OpenCommand<Global>
  ) {
    self.name = name
    self.summary = summary
    self.page = page
    self.isHidden = isHidden
    self.open = open
  }

  var shape: CommandShape {
    CommandShape(name: name, summary: summary, page: page, rows: open().rows)
  }
}

/// A command whose rows have been built.
struct OpenCommand<Global: Sendable>: Sendable {
  let rows: RowShapes
  let bind: @Sendable (Line, Global) throws(UsageError) -> Invocation<Global>

  init<Options: Sendable>(
    _ rows: [Row<Options>], _ initial: Options,
    _ invocation: @escaping @Sendable (Global, Options) -> Invocation<Global>
  ) {
    self.rows = RowShapes(rows)
    bind = { (line, global) throws(UsageError) in
      var options = initial
      try line.bind(rows, line.options, line.arguments, to: &options)
      return invocation(global, options)
    }
  }
}
