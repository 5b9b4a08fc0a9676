import CommandTable
import Testing

@Suite("reading a line") struct ParsingTests {
  @Test(
    "a value stands after its option, after =, or joined to a short one",
    arguments: ["one --limit 3", "one --limit=3", "one -l 3", "one -l3", "one -nl 3", "one -nl3"])
  func value(line: String) throws {
    #expect(try options(line).limit == 3)
  }

  @Test("short switches join")
  func joined() throws {
    let options = try options("one -nf")
    #expect(options.isDry && options.isFull)
  }

  @Test("options of every command stand before and after the command's name")
  func globals() throws {
    let (global, options) = try Sampler().read(words("-v --root /a one -vn"))
    #expect(global == SampleGlobal(root: Array("/a".utf8), verbosity: 2))
    #expect(options.isDry)
  }

  @Test("an optional value is never taken from the next word")
  func optionalValue() throws {
    #expect(try options("one --images").images == "bare")
    #expect(try options("one --images=all").images == "all")
    #expect(try options("one --images -n").images == "bare")
    #expect(message("one --images all")?.contains("unexpected argument \"all\"") == true)
  }

  @Test("an option that repeats collects its values in order")
  func repeats() throws {
    #expect(try options("one --host a --host=b").hosts == ["a", "b"])
  }

  @Test("a switch given twice is the switch given once")
  func switchTwice() throws {
    #expect(try options("one -n --dry-run").isDry)
  }

  @Test("arguments fill their places, and the last takes the rest")
  func places() throws {
    let options = try options("two a b c d")
    #expect(options.key == "a" && options.file == Array("b".utf8) && options.more == ["c", "d"])
  }

  @Test("-- ends options and a lone - is an argument")
  func ends() throws {
    let options = try options("two -v - -- --root -n")
    #expect(options.key == "-" && options.file == Array("--root".utf8) && options.more == ["-n"])
  }

  @Test("a path that is not UTF-8 arrives as it is; text that is not is refused by name")
  func bytes() throws {
    let path: [UInt8] = [0x2F, 0xFF, 0xC3]
    let read = try Sampler().read([Array("two".utf8), Array("k".utf8), path]).options
    #expect(read.file == path)
    #expect(message([Array("two".utf8), path]) == #"tool two: KEY "/\xff\xc3": not valid UTF-8"#)
    #expect(message([[0xFF]]) == #"tool: unknown command "\xff""#)
    #expect(message(words("one") + [[0x2D, 0x2D, 0xFF]])?.contains(#""--\xff""#) == true)
    #expect(message(words("one") + [[0x2D, 0xFF]])?.contains(#""-\xff""#) == true)
  }

  @Test("an empty word is an argument, and an empty command is unknown")
  func empty() throws {
    #expect(try Sampler().read([Array("two".utf8), []]).options.key == "")
    #expect(message([[]]) == "tool: unknown command \"\"")
  }

  @Test(
    "help and version are answered wherever they stand before --",
    arguments: [
      "-h", "--help", "--version", "one -h", "one -nh", "-v one --help", "two a --version", "help",
      "help one", "two -h -- x",
    ])
  func answers(line: String) throws {
    guard case .show(let text) = try Sampler().tool.parse(words(line)).get() else {
      throw Sampler.Unexpected()
    }
    #expect(text.hasPrefix("Usage: tool") || text == "tool 1\n")
  }

  @Test("after -- help is an argument like another")
  func helpAsArgument() throws {
    #expect(try options("two -- --help").key == "--help")
  }
}
