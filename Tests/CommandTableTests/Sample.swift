import CommandTable
import Synchronization

/// The options of a command with a row of each kind.
struct Sample: Sendable, Equatable {
  var limit: Int64?
  var grace = Duration.zero
  var hosts: [String] = []
  var images: String?
  var plan: [UInt8]?
  var level = Level.low
  var isDry = false
  var isFull = false
  var key = ""
  var file: [UInt8]?
  var more: [String] = []

  enum Level: String, Sendable, CaseIterable { case low, middle, high }
}

/// Its tool's options.
struct SampleGlobal: Sendable, Equatable {
  var root: [UInt8]?
  var verbosity = 0
}

/// A tool that keeps what its commands were given.
final class Sampler: Sendable {
  private let given = Mutex<(SampleGlobal, Sample)?>(nil)

  var tool: Tool<SampleGlobal> {
    Tool("tool", "tries rows", version: { "tool 1" }, date: "May 1, 2025", SampleGlobal()) {
      Option("root", short: "r", \.root, value: .path("DIR", completes: .directory), help: "where")
      Switch("verbose", short: "v", counting: \.verbosity, help: "say more")
    } commands: {
      [
        command("one") {
          Option("limit", short: "l", \.limit, value: .number("N", in: 0...99), help: "most")
          Option("grace", \.grace, value: .duration(), help: "how long")
          Option("host", \.hosts, each: .text("HOST"), help: "only this")
          Option("images", \.images, value: .text("HOW"), bare: "bare", help: "images as well")
          Option("plan", short: "p", \.plan, value: .path("FILE"), help: "save it")
          Option("level", \.level, value: .oneOf(Sample.Level.self), help: "how much")
          Switch("dry-run", short: "n", \.isDry, help: "change nothing")
          Switch("full", short: "f", \.isFull, help: "all of it")
          Rule.atMostOne("--plan", "--full")
          Rule.needs("--level", "--limit")
        },
        command("two") {
          Argument("KEY", \.key, value: .text("KEY"), help: "the key")
          Argument("FILE", \.file, value: .path("FILE"), help: "the file")
          Argument("MORE", \.more, each: .text("MORE"), help: "the rest")
        },
        command("three") {
          Option("from", \.key, value: .text("URL"), help: "the source", required: true)
          Argument("KEY", \.more, each: .text("KEY"), help: "the keys", required: true)
        },
        command("four") {
          Option("prefix", \.key, value: .text("P"), help: "their beginning")
          Argument("KEY", \.more, each: .text("KEY"), help: "the keys")
          Rule.exactlyOne("KEY", "--prefix")
        },
      ]
    }
  }

  private func command(
    _ name: String, @RowBuilder<Sample> rows: @escaping @Sendable () -> [Row<Sample>]
  ) -> Command<SampleGlobal> {
    Command(name, "try \(name)", Sample(), page: Page(description: "Tries."), rows: rows) {
      [self] global, options in
      given.withLock { $0 = (global, options) }
      return 7
    }
  }

  /// What a line's command is given.
  func read(_ words: [[UInt8]]) throws -> (global: SampleGlobal, options: Sample) {
    guard case .run(let run) = try tool.parse(words).get() else { throw Unexpected() }
    guard run() == 7, let given = given.withLock({ $0 }) else { throw Unexpected() }
    return given
  }

  struct Unexpected: Error {}
}

/// The options that a line of words parted by spaces gives.
func options(_ line: String) throws -> Sample { try Sampler().read(words(line)).options }

func words(_ line: String) -> [[UInt8]] { line.split(separator: " ").map { Array($0.utf8) } }

/// The message that a line gets; nil where nothing is wrong with it.
func message(_ words: [[UInt8]]) -> String? {
  if case .failure(let error) = Sampler().tool.parse(words) { error.message } else { nil }
}

func message(_ line: String) -> String? { message(words(line)) }
