extension Tool {
  /// Reads a line: the words after the tool's name.
  ///
  /// Does nothing else; the caller shows, runs, or reports the error.
  public func parse(_ words: [[UInt8]]) -> Result<Invocation<Global>, UsageError> {
    Result { () throws(UsageError) in try invocation(words) }
  }

  /// Reads a line of text.
  public func parse(_ words: [String]) -> Result<Invocation<Global>, UsageError> {
    parse(words.map { Array($0.utf8) })
  }

  private func invocation(_ words: [[UInt8]]) throws(UsageError) -> Invocation<Global> {
    let rows = rows()
    let globals = RowShapes(rows).options + OptionShape.ofEveryTool
    var reader = LineReader(tool: name, globals: globals, words: words, owners: owners)
    let word = try reader.nextArgument()
    if let answer = reader.answer { return .show(text(answer.kind, answer.spelling, nil)) }
    guard let word else { throw reader.line.error("a command is missing") }
    let command = try command(word, reader.line)
    let open = command.open()
    reader.enter(command.name, open.rows.options)
    try reader.readAll()
    if let answer = reader.answer { return .show(text(answer.kind, answer.spelling, command)) }
    let line = reader.line
    try line.check(open.rows, globals: globals)
    var global = global
    try line.bind(rows, line.globals, [], to: &global)
    return try open.bind(line, global)
  }

  private func command(_ word: [UInt8], _ line: Line) throws(UsageError) -> Command<Global> {
    if let command = commands.first(where: { $0.name.utf8.elementsEqual(word) }) { return command }
    let names = commands.filter { !$0.isHidden }.map(\.name)
    let near = nearest(to: String(decoding: word, as: UTF8.self), among: names)
    let advice = near.map { "; did you mean \"\($0)\"?" } ?? ""
    throw line.error("unknown command \(quoted(word))\(advice)")
  }

  /// The commands that have this option; asked only for a message.
  private func owners(_ option: [UInt8]) -> [String] {
    shape.commands.filter { OptionTable(globals: $0.rows.options).names(option) }.map(\.name)
  }

  private func text(_ answer: OptionShape.Answer, _ spelling: String, _ command: Command<Global>?)
    -> String
  {
    switch answer {
    case .version: version() + "\n"
    case .help: help(for: command?.name, spelling == "-h" ? .brief : .full)
    }
  }
}
