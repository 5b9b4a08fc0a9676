import Foundation

/// The most memory a command holds at once.
public enum PeakMemory {
  private static let launcher = Result { try Compiled("Benchmarks/measure.c", as: "measure") }

  /// Runs `command`, which must succeed, and tells its peak in bytes.
  public static func of(_ command: Command) throws -> Int {
    let folder = try TemporaryDirectory()
    let figures = folder.appending("figures")
    var measured = command
    measured.executable = try launcher.get().path
    measured.arguments = [figures, "1", command.executable] + command.arguments
    try measured.succeed()
    let words = try String(contentsOfFile: figures, encoding: .utf8).split(
      whereSeparator: \.isWhitespace)
    guard let kibibytes = words.last.flatMap({ Int($0) }) else { throw TestFailure("no figures") }
    return kibibytes * 1024
  }
}
