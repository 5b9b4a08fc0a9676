/// What a shell offers where a value is expected.
public enum Completion: Sendable, Hashable {
  /// Nothing: the value is free text.
  case nothing
  /// Names of files and directories.
  case file
  /// Names of directories.
  case directory
  /// These words.
  case words([Choice])
  /// What the tool's own (hidden) command of this name prints: `tool [FORWARDED…] NAME -- PREFIX`.
  ///
  /// It prints each candidate followed by a NUL, so that any text can be one, and keeps their number
  /// small: the shells show all it prints. Its errors are not shown.
  case call(String)
}

/// One word that an enumerated value can be.
public struct Choice: Sendable, Hashable {
  /// The word as it is typed.
  public let word: String
  /// What it means, or nothing.
  public let help: String

  /// Makes a choice of a word and its meaning.
  public init(_ word: String, _ help: String = "") {
    self.word = word
    self.help = help
  }
}
