/// A rendered man page.
public struct ManPage: Sendable, Hashable {
  /// The name of its file: `tool.1`, `tool-command.1`.
  public let file: String
  /// Its text, in the mdoc language.
  public let text: String
}

extension Tool {
  /// The tool's man page and one for each command that is not hidden.
  public func manPages() -> [ManPage] {
    let tool = shape
    let pages =
      [ManPageText(tool: tool, command: nil)]
      + tool.commands.map { ManPageText(tool: tool, command: $0) }
    return pages.map { ManPage(file: $0.title + ".1", text: $0.text) }
  }
}

/// The man page of a tool or of one of its commands.
struct ManPageText {
  let tool: ToolShape
  let command: CommandShape?

  var title: String { command.map { tool.name + "-" + $0.name } ?? tool.name }

  var text: String {
    let page = command?.page.joined(with: tool.page) ?? tool.page
    var mdoc = Mdoc()
    mdoc.macro("Dd " + tool.date)
    mdoc.macro("Dt \(Mdoc.argument(title.uppercased())) 1")
    mdoc.macro("Os")
    mdoc.macro("Sh NAME")
    mdoc.macro("Nm " + Mdoc.argument(title))
    mdoc.macro("Nd " + Mdoc.argument(summary.plain))
    synopsis(&mdoc)
    description(&mdoc, page)
    sections(&mdoc, page)
    return mdoc.text
  }

  private var summary: String { command?.summary ?? tool.summary }

  private func synopsis(_ mdoc: inout Mdoc) {
    mdoc.macro("Sh SYNOPSIS")
    mdoc.macro("Nm " + Mdoc.argument(tool.name))
    guard let command else {
      mdoc.macro("Op Ar OPTION ...")
      mdoc.macro("Ar COMMAND")
      return mdoc.macro("Op Ar ARGUMENT ...")
    }
    mdoc.macro("Cm " + Mdoc.argument(command.name))
    for option in command.rows.options { mdoc.macro(option.mdocInSynopsis) }
    for argument in command.rows.arguments { mdoc.macro(argument.mdoc) }
  }

  private func description(_ mdoc: inout Mdoc, _ page: Page) {
    mdoc.macro("Sh DESCRIPTION")
    mdoc.prose(page.description.isEmpty ? summary.sentence : page.description)
    let rows = command?.rows ?? tool.rows
    if command == nil { list(&mdoc, "The commands are:", commands) }
    list(
      &mdoc, "The arguments are:",
      rows.arguments.map { ("Ar " + Mdoc.argument($0.name), [$0.help.sentence]) })
    list(
      &mdoc, command == nil ? "The options of every command are:" : "The options are:",
      rows.options.map { ($0.mdoc, [$0.help.sentence] + $0.paragraphs) })
    for rule in rows.rules {
      mdoc.macro("Pp")
      mdoc.prose(rule.sentence)
    }
    guard command != nil else { return }
    mdoc.macro("Pp")
    mdoc.prose("The options of every command are described in")
    mdoc.macro("Xr \(Mdoc.argument(tool.name)) 1 .")
  }

  private var commands: [(String, [String])] {
    tool.commands.map { ("Cm " + Mdoc.argument($0.name), [$0.summary.sentence]) }
  }

  private func list(_ mdoc: inout Mdoc, _ lead: String, _ items: [(String, [String])]) {
    guard !items.isEmpty else { return }
    mdoc.macro("Pp")
    mdoc.prose(lead)
    mdoc.list(items)
  }
}

// The sections after the description, in the order that mdoc(7) gives.
extension ManPageText {
  private func sections(_ mdoc: inout Mdoc, _ page: Page) {
    terms(&mdoc, "ENVIRONMENT", page.environment) { "Ev " + Mdoc.argument($0) }
    terms(&mdoc, "FILES", page.files) { "Pa " + Mdoc.argument($0) }
    terms(&mdoc, "EXIT STATUS", page.exitStatus) { Mdoc.argument($0) }
    if !page.examples.isEmpty { mdoc.macro("Sh EXAMPLES") }
    for (place, example) in page.examples.enumerated() {
      if place > 0 { mdoc.macro("Pp") }
      mdoc.prose(example.meaning.sentence.dropLast() + ":")
      mdoc.literal(example.line)
    }
    seeAlso(&mdoc, page)
  }

  private func terms(
    _ mdoc: inout Mdoc, _ title: String, _ terms: [Term], tag: (String) -> String
  ) {
    guard !terms.isEmpty else { return }
    mdoc.macro("Sh " + title)
    mdoc.list(terms.map { (tag($0.name), [$0.meaning.sentence]) })
  }

  private func seeAlso(_ mdoc: inout Mdoc, _ page: Page) {
    let family =
      command == nil
      ? tool.commands.map { Reference(tool.name + "-" + $0.name, 1) } : [Reference(tool.name, 1)]
    let others = Set(family + page.seeAlso).subtracting([Reference(title, 1)])
    guard !others.isEmpty else { return }
    let sorted = others.sorted { ($0.section, $0.name) < ($1.section, $1.name) }
    mdoc.macro("Sh SEE ALSO")
    for reference in sorted {
      let comma = reference == sorted.last ? "" : " ,"
      mdoc.macro("Xr \(Mdoc.argument(reference.name)) \(reference.section)\(comma)")
    }
  }
}

extension OptionShape {
  /// `Fl m , Fl -max-mb Ar N`.
  fileprivate var mdoc: String { (short.map { "Fl \($0) , " } ?? "") + mdocLong }

  fileprivate var mdocInSynopsis: String { isRequired ? mdocLong : "Op " + mdocLong }

  private var mdocLong: String {
    let name = "Fl -" + self.name
    guard let value else { return name }
    let placeholder = "Ar " + Mdoc.argument(value.placeholder)
    return valueIsOptional ? "\(name) Ns Op = Ns \(placeholder)" : "\(name) \(placeholder)"
  }
}

extension ArgumentShape {
  fileprivate var mdoc: String {
    let each = "Ar " + Mdoc.argument(name) + (repeats ? " ..." : "")
    return isRequired ? each : "Op " + each
  }
}
