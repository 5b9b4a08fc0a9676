public import CacheModel
internal import Glibc

/// A cache of layout 1, open.
///
/// Any number of threads, processes and hosts may use one cache at once, each through a store of its
/// own or a shared one. Every path is opened below the root's descriptor and no symbolic link below
/// the root is ever followed to read, write or remove anything. See cachectl-layout(5).
public final class Store: Sendable {
  /// Whether the store may change anything.
  public enum Access: Sendable {
    /// Nothing is made or changed, not even a time.
    case reading
    /// Everything.
    case writing
  }

  /// The root as it was given.
  public let path: String
  /// What cachectl.json said when the store was opened.
  public let configuration: Configuration
  let root: Directory
  let temporaries: Temporaries
  let watches = DirectoryWatches()
  let index = RecordIndex()
  let ownership: Ownership

  /// Opens the cache at `path`, which may be a link to its root.
  ///
  /// - Throws: ``StoreError``: not a cache, a newer layout when writing, or the kernel's refusal.
  public init(at path: String, for access: Access = .writing) throws(StoreError) {
    let root = try StoreError.attempt("open", path) { () throws(Errno) in
      try Directory(path: path)
    }
    let configuration = try Self.configuration(in: root, path: path)
    if access == .writing, configuration.layout > Layout.version {
      throw StoreError("open", path, .newerLayout(configuration.layout))
    }
    let status = try StoreError.attempt("look at", path) { () throws(Errno) in try root.status() }
    self.path = path
    self.configuration = configuration
    self.root = root
    ownership = Ownership(sharing: configuration.sharing, root: status)
    temporaries = Temporaries()
  }

  /// Reads cachectl.json, which makes a directory a cache.
  static func configuration(
    in root: borrowing Directory, path: String
  ) throws(StoreError) -> Configuration {
    let text: String?
    do { text = try root.text(of: Layout.configuration, atMost: ConfigurationFile.largest) } catch {
      guard error == .notFound else {
        throw StoreError("read", path + "/" + Layout.configuration, .system(error))
      }
      throw StoreError(
        "open", path, .notACache("it holds no cachectl.json (cachectl init makes one)"))
    }
    guard let text else {
      throw StoreError("open", path, .notACache("cachectl.json is no regular text file"))
    }
    do { return try ConfigurationFile.parse(text) } catch {
      throw StoreError("open", path, .notACache(error.reason))
    }
  }

  /// Room on the file system that holds the cache.
  public func fileSystem() throws(StoreError) -> FileSystemStatus {
    try StoreError.attempt("look at", path) { () throws(Errno) in try root.fileSystem() }
  }
}

extension Directory {
  /// A small text file, whole; nil where it is not a regular file, too large or not UTF-8.
  func text(of name: String, atMost limit: Int) throws(Errno) -> String? {
    let file = try open(name, O_RDONLY | O_NONBLOCK)
    let status = try file.status()
    guard status.kind == .regular, status.size <= limit else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.size))
    let got = try bytes.withMutableBytes { (buffer) throws(Errno) in
      try file.readFully(into: buffer, at: 0)
    }
    return String(validating: bytes[..<got], as: UTF8.self)
  }
}
