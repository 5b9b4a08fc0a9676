import Foundation
import TestSupport

/// A cache with some images, made and checked by the real command.
struct VerifyCase {
  let folder: TemporaryDirectory
  let root: String
  private let keys: Int

  init(_ keys: Int = 40, in parent: String? = nil, _ options: String...) throws {
    // A cache has hundreds of directories, which memory makes and removes at once.
    let memory = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : nil
    folder = try TemporaryDirectory(in: parent ?? memory)
    root = folder.appending("cache")
    self.keys = keys
    let tree = folder.appending("tree")
    try Command("mkdir", [tree]).succeed()
    for index in 0..<keys {
      let text = "\u{89}PNG picture \(index) " + String(repeating: "\(index)", count: 100 + index)
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(tree)/\(index).png"))
    }
    try Command(Repository.cachectl, ["init", root] + options).succeed()
    try command("import", tree, "--base-url", "https://img.example/a/").succeed()
  }

  func command(_ words: String...) -> Command {
    Command(Repository.cachectl, ["--root", root] + words)
  }

  func verify(_ words: String...) throws -> CommandResult {
    try Command(Repository.cachectl, ["--root", root, "verify"] + words).run()
  }

  func key(_ index: Int) -> String { "https://img.example/a/\(index).png" }

  /// An entry's name: the SHA-256 of its key.
  func name(_ index: Int) throws -> String {
    var sum = Command("sha256sum")
    sum.input = Array(key(index).utf8)
    return String(try sum.succeed().output.prefix(64))
  }

  func object(_ index: Int) throws -> String {
    let name = try name(index)
    return "\(root)/objects/\(name.prefix(2))/\(name)"
  }

  /// Changes one byte in place.
  func damage(_ index: Int) throws {
    try Command(
      "sh",
      ["-c", "printf X | dd of=\"$1\" bs=1 seek=50 conv=notrunc status=none", "sh", object(index)]
    ).succeed()
  }

  /// The classes of findings in a JSON report, sorted.
  func classes(_ result: CommandResult) throws -> [String] {
    let findings = try result.json()["findings"] as? [[String: Any]] ?? []
    return findings.compactMap { $0["class"] as? String }.sorted()
  }
}
