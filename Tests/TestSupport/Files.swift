import Foundation

// Files as any other program sees them.

extension TemporaryDirectory {
  /// A file system in memory, where there is one: for tests that make many caches and are not about
  /// disks.
  public static let memory: String? = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : nil
}

/// The bytes of a file.
public func bytes(_ path: String) throws -> [UInt8] {
  Array(try Data(contentsOf: URL(fileURLWithPath: path)))
}

/// The text of a file; bytes that are not UTF-8 are replaced.
public func contents(_ path: String) throws -> String {
  String(decoding: try bytes(path), as: UTF8.self)
}

/// The lines of a file that are not empty.
public func lines(_ path: String) throws -> [String] {
  try contents(path).split(separator: "\n").map(String.init)
}

/// Makes a file, or puts other bytes into the one that is there.
public func write(_ bytes: [UInt8], to path: String) throws {
  try Data(bytes).write(to: URL(fileURLWithPath: path))
}

/// Writes behind the end of a file, which need not be there.
public func append(_ text: String, to path: String) throws {
  try write(((try? bytes(path)) ?? []) + Array(text.utf8), to: path)
}

/// The names in a directory, in order.
public func names(_ path: String) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: path).sorted()
}

/// Whether there is anything at a path, be it a link that leads nowhere.
public func exists(_ path: String) -> Bool { (try? FileFacts(path)) != nil }
