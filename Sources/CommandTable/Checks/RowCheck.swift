extension RowShapes {
  var values: [ValueShape] { options.compactMap(\.value) + arguments.map(\.value) }

  /// What is wrong with a command's rows.
  func problems(_ owner: String, globals: [OptionShape]) -> [String] {
    let all = options + globals
    var problems = repeated(all.map(\.long) + all.compactMap(\.shortSpelling))
      .map { "\(owner): two options are spelled \($0)" }
    for option in options {
      problems += legal("\(owner): option", option.name, as: .word)
      problems += prose("\(owner) \(option.long)", option.help)
      if let short = option.short, !short.isASCII || !(short.isLetter || short.isNumber) {
        problems.append("\(owner): -\(short) is no letter or digit of ASCII")
      }
    }
    for argument in arguments {
      problems += legal("\(owner): argument", argument.name, as: .argument)
      problems += prose("\(owner) \(argument.name)", argument.help)
    }
    return problems + order(owner) + dangling(owner, globals)
  }

  private func order(_ owner: String) -> [String] {
    let pairs = zip(arguments, arguments.dropFirst())
    return repeated(arguments.map(\.name)).map { "\(owner): two arguments are called \($0)" }
      + pairs.filter { before, _ in before.repeats }.map {
        "\(owner): \($1.name) comes after \($0.name)..."
      }
      + pairs.filter { before, after in !before.isRequired && after.isRequired }
      .map { "\(owner): \($1.name) is required after \($0.name), which is not" }
  }

  private func dangling(_ owner: String, _ globals: [OptionShape]) -> [String] {
    let names = Set((options + globals).map(\.long) + arguments.map(\.name))
    return rules.flatMap(\.names).filter { !names.contains($0) }
      .map { "\(owner): a rule names \($0), which is no row" }
  }
}

/// What a name may be made of.
enum NameKind { case word, hidden, argument, choice }

/// A complaint if a name would have to be quoted, or is not of its kind.
func legal(_ what: String, _ name: String, as kind: NameKind) -> [String] {
  let body = kind == .hidden && name.hasPrefix("__") ? name.dropFirst(2) : name[...]
  let isLegal = body.utf8.enumerated().allSatisfy { place, byte in
    switch Character(Unicode.Scalar(byte)) {
    case "a"..."z": kind != .argument
    case "0"..."9": kind != .argument || place > 0
    case "-": place > 0
    case "A"..."Z": kind == .argument || kind == .choice
    case ".", "_", "+": kind == .choice && place > 0
    default: false
    }
  }
  let isLongEnough = body.utf8.count >= (kind == .argument || kind == .choice ? 1 : 2)
  return isLegal && isLongEnough ? [] : ["\(what): \"\(name)\" is no legal name"]
}

/// A complaint if a help text is missing or is a sentence: renderings make it one where it has to be.
func prose(_ owner: String, _ text: String) -> [String] {
  let start = text.prefix(2)
  if text.isEmpty { return ["\(owner): no help"] }
  if text.hasSuffix(".") { return ["\(owner): the help ends with a full stop"] }
  if start.first?.isUppercase == true, start.last?.isLowercase == true {
    return ["\(owner): the help begins with a capital"]
  }
  if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
    return ["\(owner): the help has a line break or a control character"]
  }
  return text.count { $0 == "`" }.isMultiple(of: 2) ? [] : ["\(owner): a backquote is left open"]
}

/// The names that stand more than once.
func repeated(_ names: [String]) -> [String] {
  var seen: Set<String> = []
  return names.filter { !seen.insert($0).inserted }
}
