import TestSupport
import Testing

@Suite struct ArchitectureTests {
  /// The arrows of the design: what each target may import of this package, besides C modules.
  static let arrows: [String: Set<String>] = [
    "cachectl": ["CachectlCLI"],
    "CachectlCLI": [
      "CommandTable", "CachePlan", "CacheStore", "CacheFetch", "CacheModel", "ImageCache",
    ],
    "CommandTable": [],
    "CachePlan": ["CacheModel"],
    "CacheStore": ["CacheModel"],
    "CacheFetch": ["CachePlan", "CacheModel"],
    "ImageCache": ["CacheStore", "CacheFetch", "CachePlan", "CacheModel"],
    "CachectlC": ["ImageCache", "CacheStore", "CacheFetch", "CacheModel"],
    "CacheModel": [],
  ]

  /// Files that may import Foundation, each with the reason; it costs five milliseconds of start-up.
  static let mayImportFoundation: [String: String] = [:]

  let files: [SourceFile]
  let package: PackageDescription

  init() throws {
    files = try SourceTree.swiftFiles()
    package = try PackageDescription()
  }

  /// The targets without a Swift file that are no programs: modules of C.
  var cModules: Set<String> {
    Set(package.dependencies.keys).subtracting(files.map(\.target)).subtracting(package.programs)
  }

  @Test("imports follow the arrows of the design")
  func arrowsHold() throws {
    for file in files {
      let allowed = try #require(
        Self.arrows[file.target], "say in `arrows` where \(file.target) stands in the design")
      let own = file.imports.intersection(package.dependencies.keys).subtracting(cModules)
      #expect(own.isSubset(of: allowed), "\(file.path)")
    }
  }

  @Test("each target imports exactly what Package.swift declares for it")
  func declared() {
    for (target, declared) in package.dependencies {
      let sources = files.filter { $0.target == target }
      guard !sources.isEmpty else { continue }
      let imported = sources.reduce(into: Set()) { $0.formUnion($1.imports) }
      #expect(imported.intersection(package.dependencies.keys) == declared, "\(target)")
    }
  }

  @Test("one target speaks to each C module, and shows it to no other")
  func oneSpeaker() {
    for module in cModules {
      let speakers = Set(files.filter { $0.imports.contains(module) }.map(\.target))
      #expect(speakers.count == 1, "\(module): \(speakers)")
      let exporters = files.filter { $0.exports.contains(module) }.map(\.path)
      #expect(exporters == [], "\(module)")
    }
  }

  @Test("Foundation is imported only where the reason is listed")
  func foundation() {
    let importers = files.filter { $0.imports.contains { $0.hasPrefix("Foundation") } }
    #expect(Set(importers.map(\.path)) == Set(Self.mayImportFoundation.keys))
  }

  @Test("no source file is longer than 300 lines")
  func length() {
    // A manual page is text, as long as what it documents.
    for file in files where !file.path.contains("/Pages/") {
      #expect(file.lines.count <= 300, "\(file.path)")
    }
  }
}
