import Glibc

/// A folder of the test's own, removed with all that is in it when the last reference goes.
public final class TemporaryDirectory: Sendable {
  /// Its absolute path.
  public let path: String

  /// Makes the folder below `parent` (else `$TMPDIR`, else /tmp).
  public init(in parent: String? = nil) throws {
    let parent = parent ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/cachectl-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw TestFailure("cannot make a folder in \(parent): \(String(cString: strerror(errno)))")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The path of something in the folder.
  public func appending(_ name: String) -> String { path + "/" + name }

  deinit {
    // rm copes with names that are not UTF-8 and with trees that a test made deep.
    // A folder that cannot go (a test's bug) is left for a person to find, and fails nothing.
    _ = try? Command("rm", ["-rf", "--", path]).run()
  }
}
