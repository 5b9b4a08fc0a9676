/// One row of a command's table.
public enum Row<Options>: Sendable {
  /// An option, with or without a value.
  case option(Option<Options>)
  /// An argument.
  case argument(Argument<Options>)
  /// How they go together.
  case rule(Rule)
}

/// Collects the rows that a table lists one below the other.
@resultBuilder public enum RowBuilder<Options> {
  /// An option.
  public static func buildExpression(_ row: Option<Options>) -> [Row<Options>] { [.option(row)] }
  /// A switch.
  public static func buildExpression(_ row: Switch<Options>) -> [Row<Options>] {
    [.option(row.option)]
  }
  /// An argument.
  public static func buildExpression(_ row: Argument<Options>) -> [Row<Options>] {
    [.argument(row)]
  }
  /// A rule.
  public static func buildExpression(_ row: Rule) -> [Row<Options>] { [.rule(row)] }
  /// Rows that several commands share.
  public static func buildExpression(_ rows: [Row<Options>]) -> [Row<Options>] { rows }
  /// All of them, in their order.
  public static func buildBlock(_ rows: [Row<Options>]...) -> [Row<Options>] {
    Array(rows.joined())
  }
}

/// Rows that several commands share, kept in one property of each one's options.
///
///     Group(\.budget) {
///       Option("max-count", \.maxCount, value: .number("N"), help: "entries at most")
///     }
public func Group<Options, Part>(
  _ part: Property<Options, Part>, @RowBuilder<Part> rows: () -> [Row<Part>]
) -> [Row<Options>] {
  rows().map { row in
    switch row {
    case .option(let option): .option(Option(option, of: part))
    case .argument(let argument): .argument(Argument(argument, of: part))
    case .rule(let rule): .rule(rule)
    }
  }
}
