import CommandTable
import Testing

@Suite("the check of a table") struct TableCheckTests {
  private struct Options: Sendable {
    var text: String?
    var texts: [String] = []
    var isOn = false
  }

  private func problems(
    _ name: String = "fine", _ summary: String = "do it", page: Page = Page(description: "Does."),
    lines: Int = 24, @RowBuilder<Options> rows: @escaping @Sendable () -> [Row<Options>]
  ) -> [String] {
    Tool("tool", "does it", version: { "" }, date: "May 1, 2025", 0) {
      [Row<Int>]()
    } commands: {
      [Command(name, summary, Options(), page: page, rows: rows) { _, _ in 0 }]
    }.problems(screenLines: lines)
  }

  @Test("a sound table has no problem")
  func sound() {
    #expect(Sampler().tool.problems() == [])
    let example = Example("A=1 tool fine 'a b' -- | wc -l", "count")
    let found = problems(page: Page(description: "Does.", examples: [example])) {
      Argument("TEXT", \.text, value: .text("TEXT"), help: "what")
    }
    #expect(found == [])
  }

  @Test("illegal and repeated names are found")
  func names() {
    let found = problems("Bad") {
      Option("no name", \.text, value: .text("T"), help: "what")
      Switch("help", short: "v", \.isOn, help: "what")
      Switch("twice", short: "v", \.isOn, help: "what")
      Option("word", \.text, value: .oneOf([("-a", "", "")]), help: "what")
      Argument("text", \.text, value: .text("T"), help: "what")
      Rule.atMostOne("--twice", "--none")
    }
    for expected in [
      "command: \"Bad\"", "option: \"no name\"", "spelled --help", "spelled -v", "word: \"-a\"",
      "argument: \"text\"", "a rule names --none",
    ] {
      #expect(found.contains { $0.contains(expected) }, "\(expected)")
    }
    #expect(problems("help") {}.contains("two commands are called help"))
  }

  @Test("help that is missing or is a sentence is found")
  func help() {
    let found = problems("fine", "", page: Page()) {
      Option("aa", \.text, value: .text("T"), help: "ends with a stop.")
      Option("bb", \.text, value: .text("T"), help: "Begins with a capital")
      Option("cc", \.text, value: .text("T"), help: "leaves a `quote open")
      Option("dd", \.text, value: .text("T"), help: "two\nlines")
      Option("ee", \.text, value: .text("T"), help: "T, which is a value's name")
    }
    #expect(found.count == 6)
  }

  @Test("arguments in an order that cannot be read are found")
  func order() {
    let found = problems {
      Argument("ONE", \.texts, each: .text("T"), help: "what")
      Argument("TWO", \.text, value: .text("T"), help: "what", required: true)
    }
    #expect(found.count == 2)
  }

  @Test("help of more than a screen, wrong examples and missing callbacks are found")
  func rest() {
    let wide = problems {
      Switch("wide", \.isOn, help: String(repeating: "wide ", count: 20))
      Switch("high", \.isOn, help: "what")
    }
    #expect(wide == [])
    let high = problems(lines: 5) { Switch("high", \.isOn, help: "what") }
    #expect(
      high
        == ["fine", "help", "completions", "tool"].map { "\($0): -h has 6 lines, more than 5" })
    let examples = ["tool fine --gone", "other fine"].map { Example($0, "x") }
    #expect(problems(page: Page(description: "Does.", examples: examples)) {}.count == 2)
    let call = problems {
      Argument("KEY", \.text, value: .text("KEY", completes: .call("__none")), help: "what")
    }
    #expect(call == ["fine: completion calls __none, no command of one argument"])
  }
}
