/// What a man page and `--help` say beside the rows.
///
/// In its text, a blank line parts paragraphs and backquotes mark what is typed literally.
public struct Page: Sendable, Hashable {
  var description: String
  var examples: [Example]
  var exitStatus: [Term]
  var environment: [Term]
  var files: [Term]
  var seeAlso: [Reference]

  /// Makes a page; a command's page shows the rows of its tool's as well.
  public init(
    description: String = "", examples: [Example] = [], exitStatus: [Term] = [],
    environment: [Term] = [], files: [Term] = [], seeAlso: [Reference] = []
  ) {
    self.description = description
    self.examples = examples
    self.exitStatus = exitStatus
    self.environment = environment
    self.files = files
    self.seeAlso = seeAlso
  }

  /// This page with the rows that its tool shares with every command.
  func joined(with shared: Page) -> Page {
    Page(
      description: description, examples: examples,
      exitStatus: exitStatus.joined(with: shared.exitStatus),
      environment: environment.joined(with: shared.environment),
      files: files.joined(with: shared.files), seeAlso: seeAlso + shared.seeAlso)
  }
}

extension [Term] {
  /// The shared rows, each replaced by this page's own of the same name, and this page's others.
  fileprivate func joined(with shared: [Term]) -> [Term] {
    shared.map { row in first { $0.name == row.name } ?? row }
      + filter { row in !shared.contains { $0.name == row.name } }
  }
}

/// A line to type and what it does.
public struct Example: Sendable, Hashable {
  let line: String
  let meaning: String

  /// Makes an example.
  public init(_ line: String, _ meaning: String) {
    self.line = line
    self.meaning = meaning
  }
}

/// A row of a page's table: an exit status, a variable or a file, and its meaning.
public struct Term: Sendable, Hashable {
  let name: String
  let meaning: String

  /// Makes a row.
  public init(_ name: String, _ meaning: String) {
    self.name = name
    self.meaning = meaning
  }
}

/// Another man page.
public struct Reference: Sendable, Hashable {
  let name: String
  let section: Int

  /// Makes a reference such as `find(1)`.
  public init(_ name: String, _ section: Int) {
    self.name = name
    self.section = section
  }
}
