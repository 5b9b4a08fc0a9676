import CommandTable
import Testing

@Suite("help") struct HelpTests {
  private func text(_ line: String) throws -> String {
    guard case .show(let text) = try Sampler().tool.parse(words(line)).get() else {
      throw Sampler.Unexpected()
    }
    return text
  }

  @Test("-h shows the rows of a command and where the rest is")
  func brief() throws {
    #expect(
      try text("one -h") == """
        Usage: tool one [OPTION]...
        Try one.

          -l, --limit N                most
              --grace DUR              how long
              --host HOST              only this
              --images[=HOW]           images as well
          -p, --plan FILE              save it
              --level low|middle|high  how much
          -n, --dry-run                change nothing
          -f, --full                   all of it

        More: tool one --help. Options of every command: tool -h

        """)
  }

  @Test("-h of the tool shows its commands")
  func briefTool() throws {
    #expect(
      try text("-h") == """
        Usage: tool [OPTION]... COMMAND [ARGUMENT]...
        Tries rows.

          one    try one
          two    try two
          three  try three
          four   try four
        Options of every command: --root DIR, --verbose, --help, --version
        More: tool --help, tool help COMMAND, tool completions SHELL

        """)
  }

  @Test("--help and help COMMAND show the rules and the options of every command as well")
  func full() throws {
    let text = try text("one --help")
    #expect(text == (try self.text("help one")))
    #expect(text.contains("At most one of --plan and --full can be given."))
    #expect(text.contains("  -r, --root DIR  where\n"))
  }

  @Test("a usage line shows what must be given and what may be")
  func usage() throws {
    #expect(try text("three -h").hasPrefix("Usage: tool three --from URL KEY...\n"))
    #expect(try text("two -h").hasPrefix("Usage: tool two KEY [FILE] [MORE...]\n"))
  }
}
