/// A line as typed, taken apart along the rows but with no value read yet.
struct Line: Sendable {
  /// `tool` or `tool command`, as messages call it.
  var command: String
  var globals: [Match] = []
  var options: [Match] = []
  var arguments: [[UInt8]] = []

  /// An option of the line: the place of its row, how it was spelled, and its value.
  struct Match: Sendable {
    let row: Int
    let spelling: String
    let value: [UInt8]?
  }

  func error(_ problem: String) -> UsageError { UsageError(command: command, problem: problem) }

  /// Reads the values of options and arguments into the properties that their rows name.
  func bind<Options>(
    _ rows: [Row<Options>], _ matches: [Match], _ arguments: [[UInt8]], to options: inout Options
  ) throws(UsageError) {
    let table = RowsByKind(rows)
    for match in matches {
      try bind(match.spelling, match.value) { bytes throws(ValueError) in
        try table.options[match.row].set(&options, bytes)
      }
    }
    for (place, bytes) in arguments.enumerated() {
      let row = table.arguments[min(place, table.arguments.count - 1)]
      try bind(row.shape.name, bytes) { _ throws(ValueError) in try row.set(&options, bytes) }
    }
  }

  private func bind(
    _ name: String, _ value: [UInt8]?, set: ([UInt8]?) throws(ValueError) -> Void
  ) throws(UsageError) {
    do { try set(value) } catch {
      let shown = value.map { " " + quoted($0) } ?? ""
      throw self.error("\(name)\(shown): \(error)")
    }
  }
}

private struct RowsByKind<Options> {
  var options: [Option<Options>] = []
  var arguments: [Argument<Options>] = []

  init(_ rows: [Row<Options>]) {
    for row in rows {
      switch row {
      case .option(let option): options.append(option)
      case .argument(let argument): arguments.append(argument)
      case .rule: break
      }
    }
  }
}
