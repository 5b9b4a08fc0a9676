/// A row of the table: how options and arguments go together.
///
/// Each is named as it is typed, `--plan`, or as the usage line names it, `KEY`.
public enum Rule: Sendable, Hashable {
  /// No two of them together.
  case atMostOne([String])
  /// One or more of them.
  case atLeastOne([String])
  /// One of them and no other.
  case exactlyOne([String])
  /// The first only together with the second.
  case needs(String, String)

  /// No two of these together.
  public static func atMostOne(_ names: String...) -> Rule { .atMostOne(names) }
  /// One or more of these.
  public static func atLeastOne(_ names: String...) -> Rule { .atLeastOne(names) }
  /// One of these and no other.
  public static func exactlyOne(_ names: String...) -> Rule { .exactlyOne(names) }

  var names: [String] {
    switch self {
    case .atMostOne(let names), .atLeastOne(let names), .exactlyOne(let names): names
    case .needs(let name, let other): [name, other]
    }
  }

  /// What is wrong with a line that gives these names, or nil.
  func problem(given: Set<String>) -> String? {
    let met = names.filter(given.contains)
    switch self {
    case .atMostOne where met.count > 1, .exactlyOne where met.count > 1:
      return "\(met[0]) and \(met[1]) exclude each other: give one of them"
    case .atLeastOne where met.isEmpty:
      return "nothing to work on: give \(list(names, "or"))"
    case .exactlyOne where met.isEmpty:
      return "nothing to work on: give one of \(list(names, "or"))"
    case .needs(let name, let other) where given.contains(name) && !given.contains(other):
      return "\(name) needs \(other) as well"
    default: return nil
    }
  }

  /// The rule as a sentence of the help.
  var sentence: String {
    switch self {
    case .atMostOne: "At most one of \(marked) can be given."
    case .atLeastOne: "At least one of \(marked) must be given."
    case .exactlyOne: "Exactly one of \(marked) must be given."
    case .needs(let name, let other): "`\(name)` needs `\(other)` as well."
    }
  }
}

extension Rule {
  private var marked: String { list(names.map { "`\($0)`" }, "and") }
}

/// `a`, `a or b`, `a, b or c`.
private func list(_ names: [String], _ conjunction: String) -> String {
  guard let last = names.last, names.count > 1 else { return names.first ?? "" }
  return names.dropLast().joined(separator: ", ") + " \(conjunction) " + last
}
