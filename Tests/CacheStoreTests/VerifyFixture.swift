import CacheModel
import Foundation
import SeededRandom
import Synchronization
import TestSupport

@testable import CacheStore

/// A cache of the test's own, filled through the library and checked by it.
final class VerifyFixture {
  let folder: TemporaryDirectory
  let store: Store
  var root: String { store.path }

  init(in parent: String? = nil, sharing: Sharing = .private) throws {
    folder = try TemporaryDirectory(in: parent)
    var configuration = Configuration()
    configuration.sharing = sharing
    store = try Store.create(at: folder.appending("cache"), configuration)
  }

  static func key(_ index: Int) throws -> CacheKey {
    try CacheKey("https://img.example/gallery/\(index).jpg?w=640")
  }

  /// Stores bytes under a key with a number.
  @discardableResult
  func put(_ index: Int, _ bytes: [UInt8], type: String? = nil) throws -> EntryName {
    var request = StoreRequest(key: try Self.key(index))
    request.etag = "\"v\(index)\""
    request.type = type
    return try store.put(bytes, request, now: .now).name
  }

  /// Bytes that look random and follow from the number.
  static func body(_ index: Int, _ count: Int) -> [UInt8] {
    var random = SeededNumbers(seed: UInt64(index) &* 0x9e37_79b9)
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  func path(_ name: EntryName) -> String { "\(root)/\(Layout.object(name))" }

  /// Checks the cache and returns what was found and the numbers.
  func verify(
    _ change: (inout VerifyRequest) -> Void = { _ in }
  ) -> (findings: [Finding], result: VerifyResult) {
    var request = VerifyRequest(now: .now)
    request.keepsResults = false
    change(&request)
    let found = Mutex<[Finding]>([])
    let result = store.verify(request) { batch in found.withLock { $0 += batch } }
    return (found.withLock { $0 }, result)
  }

  /// The kinds of findings by name.
  func kinds() -> [EntryName: Finding.Kind] {
    verify().findings.reduce(into: [:]) { kinds, finding in
      if let name = finding.name { kinds[name] = finding.kind }
    }
  }
}

/// A file's bytes, to be read and written with its times left as they are.
struct FileBytes {
  let path: String

  func read() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

  /// Changes the bytes in place, as a failing disk would: no time moves.
  func change(_ body: (inout [UInt8]) -> Void) throws {
    var status = stat()
    guard stat(path, &status) == 0 else { throw TestFailure("\(path): errno \(errno)") }
    var bytes = try read()
    body(&bytes)
    let file = open(path, O_WRONLY | O_TRUNC)
    defer { close(file) }
    guard file >= 0, bytes.withUnsafeBytes({ write(file, $0.baseAddress, $0.count) }) == bytes.count
    else { throw TestFailure("\(path): errno \(errno)") }
    let times = [status.st_atim, status.st_mtim]
    futimens(file, times)
  }
}
