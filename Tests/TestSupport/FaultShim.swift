import Foundation

/// Faults below the API of a command under test: Tests/Fixtures/faults.c, which documents them.
public struct FaultShim: Sendable {
  /// What is done at the Nth counted call.
  public enum Fault: Sendable {
    /// Ends the process right before the Nth counted call.
    case exitBefore(Int)
    /// Ends the process after half of the bytes of the Nth counted call, which is a write.
    case exitHalfway(Int)
    /// Ends the process right after the Nth counted call.
    case exitAfter(Int)
    /// Raises a signal before the Nth counted call; SIGSTOP lets the test step in.
    case signal(Int32, before: Int)
    /// Lets the NTH call named so, and the `count` - 1 after it (0: all after it), fail.
    case fail(String, _ error: String, nth: Int = 1, count: Int = 1)
    /// No read and no write moves more bytes than this.
    case short(Int)
    /// Only these calls count, by function or family name; `all` for every wrapped call.
    case counting([String])
    /// Only calls whose path holds this text count or fail.
    case onPath(String)
  }

  private let library: Compiled

  /// The shim, compiled once for all tests of the process.
  public static let shared = Result { try FaultShim() }

  private init() throws {
    library = try Compiled("Tests/Fixtures/faults.c", as: "faults.so", "-shared", "-fPIC")
  }

  /// The same command, which will meet `faults` and log its counted calls to `log`.
  public func giving(
    _ faults: [Fault], to command: Command, log: String? = nil
  ) -> Command {
    let program = URL(fileURLWithPath: command.executable).lastPathComponent
    let own = ["LD_PRELOAD": library.path, "FAULT_PROGRAM": program, "FAULT_LOG": log]
    return command.with(own).with(variables(faults))
  }

  private func variables(_ faults: [Fault]) -> [String: String?] {
    var variables: [String: String?] = [:]
    var failures: [String] = []
    for fault in faults {
      switch fault {
      case .exitBefore(let n): variables.merge(exit(n, "before")) { $1 }
      case .exitHalfway(let n): variables.merge(exit(n, "half")) { $1 }
      case .exitAfter(let n): variables.merge(exit(n, "after")) { $1 }
      case .signal(let number, let n): variables["FAULT_SIGNAL_AT"] = "\(n):\(number)"
      case .fail(let call, let error, let nth, let count):
        failures.append("\(call):\(error):\(nth):\(count)")
      case .short(let bytes): variables["FAULT_SHORT"] = "\(bytes)"
      case .counting(let calls): variables["FAULT_CALLS"] = calls.joined(separator: ",")
      case .onPath(let text): variables["FAULT_PATH"] = text
      }
    }
    if !failures.isEmpty { variables["FAULT_ERRNO"] = failures.joined(separator: ",") }
    return variables
  }

  private func exit(_ n: Int, _ when: String) -> [String: String?] {
    ["FAULT_EXIT_AT": "\(n)", "FAULT_WHEN": when]
  }

  /// Runs `command` with faults; its status is 137 where the shim ended it.
  public func run(_ command: Command, _ faults: Fault...) throws -> CommandResult {
    try giving(faults, to: command).run()
  }

  /// Runs `command`, which must succeed, and tells the calls that it made, in order.
  public func calls(of command: Command, _ faults: Fault...) throws -> [FaultCall] {
    let folder = try TemporaryDirectory()
    let log = folder.appending("log")
    try giving(faults, to: command, log: log).succeed()
    guard FileManager.default.fileExists(atPath: log) else { return [] }
    return try String(contentsOfFile: log, encoding: .utf8)
      .split(separator: "\n").compactMap(FaultCall.init)
  }
}

/// One counted call as the shim logged it.
public struct FaultCall: Equatable, Sendable {
  /// Its number, from 1, as the faults count.
  public let ordinal: Int
  /// The function, as the shim names it; with `!` where it was made to fail.
  public let name: String
  /// What it was called on; of two names the new one.
  public let path: String

  init?(_ line: Substring) {
    let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let ordinal = Int(parts[0]) else { return nil }
    self.ordinal = ordinal
    name = String(parts[1])
    path = String(parts[2])
  }
}
