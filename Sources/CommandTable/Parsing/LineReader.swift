/// Takes a line apart, word by word.
struct LineReader {
  private(set) var line: Line
  /// What the parser itself is asked for, if anything; reading stops there.
  private(set) var answer: (kind: OptionShape.Answer, spelling: String)?
  private var table: OptionTable
  /// The commands that have an option which this line's command has not.
  private let owners: (_ option: [UInt8]) -> [String]
  private var words: ArraySlice<[UInt8]>
  private var optionsHaveEnded = false

  init(
    tool: String, globals: [OptionShape], words: [[UInt8]],
    owners: @escaping (_ option: [UInt8]) -> [String]
  ) {
    line = Line(command: tool)
    table = OptionTable(globals: globals)
    self.owners = owners
    self.words = words[...]
  }

  /// Enters a command, whose options are legal from here on.
  mutating func enter(_ command: String, _ options: [OptionShape]) {
    line.command += " " + command
    table.locals = options
  }

  /// Reads the rest: options, and the words between them, which are arguments.
  mutating func readAll() throws(UsageError) {
    while let argument = try nextArgument() { line.arguments.append(argument) }
  }

  /// Reads the options up to the next word that is none, and returns that.
  mutating func nextArgument() throws(UsageError) -> [UInt8]? {
    while answer == nil, let word = words.popFirst() {
      if optionsHaveEnded || word.count < 2 || word[0] != dash { return word }
      if word == [dash, dash] {
        optionsHaveEnded = true
      } else if word[1] == dash {
        try readLong(word)
      } else {
        try readShorts(word)
      }
    }
    return nil
  }

  private mutating func readLong(_ word: [UInt8]) throws(UsageError) {
    let parts = word.split(separator: equals, maxSplits: 1, omittingEmptySubsequences: false)
    guard let place = table.place(ofLong: parts[0].dropFirst(2)) else {
      throw unknown(Array(parts[0]))
    }
    let option = table[place]
    let joined = parts.count == 2 ? Array(parts[1]) : nil
    if let joined, option.value == nil {
      throw line.error("\(option.long) takes no value, but is given \(quoted(joined))")
    }
    let isNext = joined == nil && option.takesNextWord
    try record(place, option.long, isNext ? nextWord(of: option, option.long) : joined)
  }

  /// Reads joined short options, the last of which may be followed by its value.
  private mutating func readShorts(_ word: [UInt8]) throws(UsageError) {
    for at in word.indices.dropFirst() {
      let spelling = "-" + String(decoding: [word[at]], as: UTF8.self)
      guard let place = table.place(ofShort: word[at]) else { throw unknown(word, at: at) }
      let option = table[place]
      guard option.takesNextWord else {
        try record(place, spelling, nil)
        continue
      }
      let rest = word[(at + 1)...]
      return try record(
        place, spelling, rest.isEmpty ? nextWord(of: option, spelling) : Array(rest))
    }
  }

  private mutating func nextWord(of option: OptionShape, _ spelling: String)
    throws(UsageError) -> [UInt8]
  {
    let missing = "\(spelling): the value \(option.value?.placeholder ?? "") is missing"
    guard let word = words.first else { throw line.error(missing) }
    guard !table.names(word) else {
      throw line.error(
        "\(missing) before \(quoted(word)); if that is the value, write "
          + "\(option.long)=\(String(decoding: word, as: UTF8.self))")
    }
    return words.removeFirst()
  }

  private mutating func record(_ place: OptionTable.Place, _ spelling: String, _ value: [UInt8]?)
    throws(UsageError)
  {
    let option = table[place]
    if let kind = option.answer {
      answer = answer ?? (kind, spelling)
      return
    }
    let matches = place.isGlobal ? line.globals : line.options
    if option.value != nil, !option.repeats, matches.contains(where: { $0.row == place.row }) {
      throw line.error("\(option.long) is given twice")
    }
    let match = Line.Match(row: place.row, spelling: spelling, value: value)
    if place.isGlobal { line.globals.append(match) } else { line.options.append(match) }
  }
}

extension LineReader {
  private func unknown(_ option: [UInt8], at: Int = 0) -> UsageError {
    let spelled = at == 0 ? option : [dash] + option[at...].prefix(1)
    let inside = at > 0 && option.count > 2 ? " in \(quoted(option))" : ""
    return line.error("unknown option \(quoted(spelled))\(inside); \(advice(spelled))")
  }

  private func advice(_ option: [UInt8]) -> String {
    let owners = owners(option)
    if !owners.isEmpty {
      let place = table.locals == nil ? ", whose name goes before it" : ""
      return "it belongs to \(owners.joined(separator: " and "))\(place)"
    }
    if let near = nearest(to: String(decoding: option, as: UTF8.self), among: table.longs) {
      return "did you mean \"\(near)\"?"
    }
    return "an argument that begins with - goes after --"
  }
}
