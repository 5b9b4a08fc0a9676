import Foundation
import TestSupport

/// The example tool as it was built, with its pages and its completion scripts where the shells look
/// for them.
final class ExampleTool: Sendable {
  private let directory: TemporaryDirectory
  let tools: String
  let scripts: String
  let pages: String
  let home: String

  init() throws {
    directory = try TemporaryDirectory()
    tools = directory.appending("tools")
    scripts = directory.appending("scripts")
    pages = directory.appending("pages")
    home = directory.appending("home")
    let files = FileManager.default
    for path in [tools, scripts, pages, home] {
      try files.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    try files.createSymbolicLink(atPath: program, withDestinationPath: try Self.built())
    for (shell, file) in [("bash", "example"), ("zsh", "_example"), ("fish", "example.fish")] {
      let script = try Command(program, ["completions", shell]).succeed().output
      try script.write(toFile: scripts + "/" + file, atomically: false, encoding: .utf8)
    }
    try Command(program, ["__pages", pages]).succeed()
  }

  var program: String { tools + "/example" }

  /// Executables are built beside the tests' own.
  private static func built() throws -> String {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return NSString(string: own).deletingLastPathComponent + "/ExampleTool"
  }
}
