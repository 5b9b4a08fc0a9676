// What can be wrong with a line before any value is read.
extension Line {
  /// Compares what is given with what the command's rows ask for.
  func check(_ rows: RowShapes, globals: [OptionShape]) throws(UsageError) {
    try checkPlaces(rows.arguments)
    for (options, matches) in [(rows.options, self.options), (globals, self.globals)] {
      for (row, option) in options.enumerated()
      where option.isRequired && !matches.contains(where: { $0.row == row }) {
        throw error("\(option.synopsis) is missing: \(option.help)")
      }
    }
    let given = given(rows, globals)
    for rule in rows.rules {
      if let problem = rule.problem(given: given) { throw error(problem) }
    }
  }

  private func checkPlaces(_ rows: [ArgumentShape]) throws(UsageError) {
    if arguments.count > rows.count, rows.last?.repeats != true {
      let extra = quoted(arguments[rows.count])
      let most = rows.isEmpty ? "no argument" : "no more than \(rows.map(\.name).spaced)"
      throw error("unexpected argument \(extra): the command takes \(most)")
    }
    if let missing = rows.dropFirst(arguments.count).first(where: \.isRequired) {
      throw error("\(missing.name) is missing: \(missing.help)")
    }
  }

  private func given(_ rows: RowShapes, _ globals: [OptionShape]) -> Set<String> {
    var names = Set(options.map { rows.options[$0.row].long })
    names.formUnion(self.globals.map { globals[$0.row].long })
    names.formUnion(rows.arguments.prefix(arguments.count).map(\.name))
    return names
  }
}

extension [String] {
  /// The words with a space between them.
  var spaced: String { joined(separator: " ") }
}
