/// What a line asks for.
public enum Invocation<Global: Sendable>: Sendable {
  /// Text for standard output: help, the version or a completion script. The exit status is 0.
  case show(String)
  /// A command to run.
  case run(Run<Global>)
}

/// A command with its options read, ready to run.
public struct Run<Global: Sendable>: Sendable {
  /// The command's name.
  public let command: String
  /// The global options.
  public let global: Global
  let body: @Sendable () -> Int32

  /// Runs it and returns its exit status.
  public func callAsFunction() -> Int32 { body() }
}
