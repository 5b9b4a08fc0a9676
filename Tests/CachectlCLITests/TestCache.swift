import Foundation
import TestSupport

/// A cache of the test's own, and the real command to work on it.
final class TestCache: Sendable {
  let directory: TemporaryDirectory
  /// The cache's root.
  let root: String

  /// Makes a cache; `options` go to `init`.
  init(_ options: String...) throws {
    // A cache has hundreds of directories, which memory makes at once; what depends on a disk is
    // tested on one of its own.
    directory = try TemporaryDirectory(
      in: FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : nil)
    root = directory.appending("cache")
    try Command(Repository.cachectl, ["init", root, "--quiet"] + options).succeed()
  }

  /// The command with `--root` and these words.
  func command(_ words: [String]) -> Command {
    var command = Command(Repository.cachectl, ["--root", root] + words)
    command.environment = ["CACHECTL_ROOT": nil, "NO_COLOR": nil]
    return command
  }

  /// Runs the command to its end.
  @discardableResult
  func run(_ words: String..., input: [UInt8] = []) throws -> CommandResult {
    var command = command(words)
    command.input = input
    return try command.run()
  }

  /// Runs the command, which must succeed.
  @discardableResult
  func succeed(_ words: String..., input: [UInt8] = []) throws -> CommandResult {
    var command = command(words)
    command.input = input
    return try command.succeed()
  }

  /// Runs the command with `--json` and reads its one document, whatever the status.
  func json(_ words: String...) throws -> [String: Any] {
    try command(["--json"] + words).run().json()
  }

  /// Stores bytes under a key.
  func put(_ key: String, _ bytes: [UInt8], _ options: String...) throws {
    var command = command(["put", key, "-"] + options)
    command.input = bytes
    try command.succeed()
  }

  /// The path of a key's object.
  func object(_ key: String) throws -> String {
    let lines = try succeed("key", key).output.split(separator: "\n")
    guard lines.count == 2 else { throw TestFailure("key printed \(lines)") }
    return String(lines[1])
  }

  /// A key's name.
  func name(_ key: String) throws -> String { try (object(key) as NSString).lastPathComponent }

  /// The path of a key's manifest.
  func manifest(_ key: String, _ file: String) throws -> String {
    "\(root)/manifests/\(try name(key).prefix(2))/\(file)"
  }

  /// Every object's path below `objects/`.
  func objects() throws -> [String] {
    let all = FileManager.default.enumerator(atPath: root + "/objects")?.compactMap {
      $0 as? String
    }
    return (all ?? []).filter { $0.contains("/") }.sorted()
  }

  /// The members `entries` of a listing, each entry's key or, without one, its name.
  func listed(_ words: String...) throws -> [String] {
    let document = try command(["--json", "ls"] + words).succeed().json()
    return (document["entries"] as? [[String: Any]] ?? []).map {
      $0["key"] as? String ?? $0["name"] as? String ?? ""
    }
  }
}

/// Changes a file's times, as `touch -d`.
func setTimes(_ path: String, _ date: String) throws {
  try Command("touch", ["-h", "-d", date, path]).succeed()
}

/// Modification and access time in nanoseconds, as `stat` prints them.
func times(_ path: String) throws -> String {
  try Command("stat", ["-c", "%.9Y %.9X", path]).succeed().output
}

/// A file's bytes.
func bytes(of path: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
}

/// Writes a file.
func write(_ bytes: [UInt8], to path: String) throws {
  try Data(bytes).write(to: URL(fileURLWithPath: path))
}

extension [String: Any] {
  /// A member that is an object.
  func object(_ name: String) -> [String: Any] { self[name] as? [String: Any] ?? [:] }
  /// A member that is a whole number.
  func number(_ name: String) -> Int? { self[name] as? Int }
  /// A member that is a list of objects.
  func objects(_ name: String) -> [[String: Any]] { self[name] as? [[String: Any]] ?? [] }
}

/// The smallest images that are told apart by their first bytes.
enum Sample {
  static let gif = Array("GIF89a\u{1}\u{0}\u{1}\u{0}".utf8)
  static let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]
  static let jpeg: [UInt8] = [0xff, 0xd8, 0xff, 0xe0, 9, 9]
}
