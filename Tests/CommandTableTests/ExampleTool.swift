import Foundation

/// The example tool as it was built, with its completion scripts where the shells look for them, in
/// a directory that goes with this value.
final class ExampleTool: Sendable {
  let directory: String
  var tools: String { directory + "/tools" }
  var scripts: String { directory + "/scripts" }
  var pages: String { directory + "/pages" }

  init() throws {
    directory = NSTemporaryDirectory() + "example-\(UUID().uuidString)"
    for name in ["tools", "scripts", "pages", "home"] {
      try FileManager.default.createDirectory(
        atPath: directory + "/" + name, withIntermediateDirectories: true)
    }
    try FileManager.default.createSymbolicLink(
      atPath: tools + "/example", withDestinationPath: try Self.built())
    for (shell, file) in [("bash", "example"), ("zsh", "_example"), ("fish", "example.fish")] {
      let script = try run(tools + "/example", ["completions", shell]).output
      try script.write(toFile: scripts + "/" + file, atomically: false, encoding: .utf8)
    }
    _ = try run(tools + "/example", ["__pages", pages])
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }  // Only litter stays behind.

  /// Executables stand beside the tests' own.
  private static func built() throws -> String {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let directory = NSString(string: own).deletingLastPathComponent
    return directory + "/ExampleTool"
  }
}

/// Runs a program and returns its exit status and all it printed on either stream.
func run(_ program: String, _ arguments: [String], in directory: String = "/") throws
  -> (status: Int32, output: String)
{
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["-C", directory, program] + arguments
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = pipe
  try process.run()
  let output = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return (process.terminationStatus, String(decoding: output, as: UTF8.self))
}
