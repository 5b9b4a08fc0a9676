import Foundation
import TestSupport

/// A Swift file below Sources/, as the rules of the project see it.
struct SourceFile {
  /// Its path below the repository.
  let path: String
  let lines: [Substring]
  /// The modules that it imports.
  let imports: Set<String>
  /// Those of them that its public declarations may show.
  let exports: Set<String>

  /// The target it belongs to: the folder below Sources/.
  var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

  init(path: String) throws {
    self.path = path
    lines = try Repository.text(path).split(separator: "\n", omittingEmptySubsequences: false)
    // An attribute or an access level may stand before `import`, a kind of declaration after it.
    let pattern =
      #/^(?:@\w+\s+)*(public |package |internal |fileprivate |private )?import (?:struct |class |enum |protocol |func |var |let |typealias )?(\w+)/#
    let found = lines.compactMap { $0.prefixMatch(of: pattern) }
    imports = Set(found.map { String($0.2) })
    exports = Set(found.filter { $0.1 == "public " }.map { String($0.2) })
  }
}

/// What is below Sources/.
enum SourceTree {
  /// Every Swift file, in order of its path.
  static func swiftFiles() throws -> [SourceFile] {
    let root = Repository.path("Sources")
    let found = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return try found.filter { $0.hasSuffix(".swift") }.sorted()
      .map { try SourceFile(path: "Sources/" + $0) }
  }
}

/// A folder's own folders, without hidden ones.
func folders(in path: String) throws -> [String] {
  let url = URL(fileURLWithPath: Repository.path(path))
  let keys: [URLResourceKey] = [.isDirectoryKey]
  return try FileManager.default
    .contentsOfDirectory(at: url, includingPropertiesForKeys: keys, options: .skipsHiddenFiles)
    .filter { try $0.resourceValues(forKeys: Set(keys)).isDirectory ?? false }
    .map(\.lastPathComponent)
}
