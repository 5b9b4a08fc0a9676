import Foundation

/// A program to run, with all that it is given.
public struct Command: Sendable {
  /// A path, or a name that is looked up in PATH.
  public var executable: String
  /// All words after the program's own name.
  public var arguments: [String]
  /// Added to the test's own environment; a nil value takes the variable away.
  public var environment: [String: String?] = [:]
  /// The working directory; the test's own when nil.
  public var directory: String?
  /// What the program reads on standard input; nothing is an empty input.
  public var input: [UInt8] = []
  /// After this the program is killed and the run throws: a hang is a failure of the test.
  public var limit: Duration = .seconds(120)

  /// A program and its arguments.
  public init(_ executable: String, _ arguments: [String] = []) {
    self.executable = executable
    self.arguments = arguments
  }

  /// The command under test, with these arguments.
  public static func cachectl(_ arguments: String...) -> Command {
    Command(Repository.cachectl, arguments)
  }

  /// The same command with more variables.
  public func with(_ variables: [String: String?]) -> Command {
    var copy = self
    copy.environment.merge(variables) { $1 }
    return copy
  }

  /// Starts the program and leaves it running.
  public func start() throws -> RunningCommand { try RunningCommand(self) }

  /// Runs the program to its end.
  public func run() throws -> CommandResult { try start().wait() }

  /// Runs the program, which must succeed; throws what it said otherwise.
  @discardableResult
  public func succeed() throws -> CommandResult {
    let result = try run()
    guard result.status == 0 else {
      throw TestFailure(
        "\(executable) \(arguments.joined(separator: " ")): \(result.ending): \(result.errors)")
    }
    return result
  }
}

/// How a program ended and what it wrote.
public struct CommandResult: Sendable {
  /// How a program ended.
  public enum Ending: Equatable, Sendable {
    case exited(Int32)
    case signalled(Int32)
  }
  /// How it ended.
  public let ending: Ending
  /// Standard output.
  public let outputBytes: [UInt8]
  /// Standard error.
  public let errorBytes: [UInt8]

  /// Standard output as text; bytes that are not UTF-8 are replaced.
  public var output: String { String(decoding: outputBytes, as: UTF8.self) }
  /// Standard error as text; bytes that are not UTF-8 are replaced.
  public var errors: String { String(decoding: errorBytes, as: UTF8.self) }
  /// The exit status as a shell gives it: 128 and the signal where one ended it.
  public var status: Int32 {
    switch ending {
    case .exited(let code): code
    case .signalled(let signal): 128 + signal
    }
  }
  /// Standard output read as JSON; throws where it is not one document.
  public func json() throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(outputBytes))
    guard let object = value as? [String: Any] else { throw TestFailure("no object: \(output)") }
    return object
  }
}
