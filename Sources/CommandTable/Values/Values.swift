extension Value where T == String {
  /// Any text.
  public static func text(_ placeholder: String, completes: Completion = .nothing) -> Value {
    Value(placeholder, completes: completes) { (text: String) throws(ValueError) in text }
  }
}

extension Value where T == [UInt8] {
  /// A path, which is bytes: it need not be UTF-8.
  ///
  /// An empty one is refused, as is a NUL in it.
  public static func path(_ placeholder: String, completes: Completion = .file) -> Value {
    Value(placeholder, completes: completes) { (bytes: [UInt8]) throws(ValueError) in
      guard !bytes.isEmpty else { throw ValueError("an empty path") }
      guard !bytes.contains(0) else { throw ValueError("a path holds no NUL") }
      return bytes
    }
  }
}

extension Value {
  /// One of these words; the usage line lists them.
  public static func oneOf(_ choices: [(word: String, value: T, help: String)]) -> Value {
    let words = choices.map { Choice($0.word, $0.help) }
    let placeholder = words.map(\.word).joined(separator: "|")
    return Value(placeholder, completes: .words(words)) { (text: String) throws(ValueError) in
      if let choice = choices.first(where: { $0.word == text }) { return choice.value }
      throw ValueError(notOneOf(text, words.map(\.word)))
    }
  }
}

extension Value where T: CaseIterable & RawRepresentable, T.RawValue == String {
  /// One of the cases of an enumeration, as its raw value spells it.
  public static func oneOf(_: T.Type) -> Value {
    oneOf(T.allCases.map { ($0.rawValue, $0, "") })
  }
}

private func notOneOf(_ text: String, _ words: [String]) -> String {
  let list = "not one of " + words.joined(separator: ", ")
  guard let near = nearest(to: text, among: words) else { return list }
  return list + "; did you mean \"\(near)\"?"
}
