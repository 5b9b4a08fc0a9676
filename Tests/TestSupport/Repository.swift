import Foundation

/// Where the sources under test are, found from this file's own place.
public enum Repository {
  /// The folder that holds Package.swift.
  public static let root: String = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { url.deleteLastPathComponent() }
    return url.path
  }()

  /// The absolute path of a file or folder of the repository.
  public static func path(_ relative: String) -> String { root + "/" + relative }

  /// The text of a file of the repository.
  public static func text(_ relative: String) throws -> String {
    try String(contentsOfFile: path(relative), encoding: .utf8)
  }

  /// The built command that tests run: `$CACHECTL`, or the release build of this folder.
  public static var cachectl: String {
    ProcessInfo.processInfo.environment["CACHECTL"] ?? path(".build/release/cachectl")
  }
}
