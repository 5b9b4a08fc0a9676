/// What parser and renderings need to know of an option: the row without its property.
struct OptionShape: Sendable, Hashable {
  var name: String
  var short: Character?
  var value: ValueShape?
  var help: String
  var details = ""
  var isRequired = false
  /// Whether the commands that completion calls are given it as well.
  var isForwarded = false
  var repeats = false
  var valueIsOptional = false
  /// What the parser itself answers, for the rows that every tool has.
  var answer: Answer?

  var long: String { "--" + name }
  var shortSpelling: String? { short.map { "-\($0)" } }
  var spellings: [String] { (shortSpelling.map { [$0] } ?? []) + [long] }
  /// Whether the next word is its value.
  var takesNextWord: Bool { value != nil && !valueIsOptional }

  /// What the full help and the pages say after `help`: the details and the meaning of each word.
  var paragraphs: [String] {
    let choices = (value?.choices ?? []).filter { !$0.help.isEmpty }
    return CommandTable.paragraphs(details) + choices.map { "`\($0.word)`: \($0.help)" }
  }

  /// `--name VALUE`, `--name[=VALUE]` or `--name`.
  var synopsis: String {
    guard let value else { return long }
    return valueIsOptional ? "\(long)[=\(value.placeholder)]" : "\(long) \(value.placeholder)"
  }

  enum Answer: Sendable { case help, version }

  /// The rows that every tool has.
  static let ofEveryTool = [
    OptionShape(
      name: "help", short: "h", help: "show the help: -h one screen of it, --help all",
      answer: .help),
    OptionShape(name: "version", help: "show the version", answer: .version),
  ]
}
