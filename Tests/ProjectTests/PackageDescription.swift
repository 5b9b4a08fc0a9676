import Foundation
import TestSupport

/// The targets that Package.swift declares, as SwiftPM reads them.
struct PackageDescription {
  /// Each target below Sources/, with the targets of this package that it depends on.
  let dependencies: [String: Set<String>]
  /// Those of them that are programs.
  let programs: Set<String>

  init() throws {
    // A build folder of its own: SwiftPM lets one process into a build folder, and runs this test.
    let scratch = try TemporaryDirectory()
    let arguments = [
      "package", "--package-path", Repository.root, "--scratch-path", scratch.path, "dump-package",
    ]
    let package = try Command("swift", arguments).succeed().json()
    let targets = package["targets"] as? [[String: Any]] ?? []
    var dependencies: [String: Set<String>] = [:]
    var programs: Set<String> = []
    for target in targets where target["type"] as? String != "test" && target["path"] == nil {
      guard let name = target["name"] as? String else { continue }
      if target["type"] as? String == "executable" { programs.insert(name) }
      let declared = target["dependencies"] as? [[String: Any]] ?? []
      dependencies[name] = Set(declared.compactMap { ($0["byName"] as? [Any])?.first as? String })
    }
    self.dependencies = dependencies
    self.programs = programs
  }
}
