internal import Glibc

/// Which cache is meant, and where that came from, so that an error can say both.
struct RootSearch: Equatable {
  let path: String
  let source: String

  enum Failure: Error, Equatable {
    /// A path that this program cannot spell.
    case notUTF8(String)
    /// Neither `HOME` nor anything else names a place.
    case nowhere
  }

  /// Looks in the order of cachectl(1): `--root`, `$CACHECTL_ROOT`, the nearest parent of the working
  /// directory that is a cache, `$XDG_CACHE_HOME`, `~/.cache`.
  init(option: [UInt8]?) throws(Failure) {
    if let option {
      path = try Self.text(option, "--root")
      source = "--root"
    } else if let path = try Self.variable("CACHECTL_ROOT") {
      self.path = path
      source = "CACHECTL_ROOT"
    } else if let path = Self.nearestParent() {
      self.path = path
      source = "the working directory"
    } else if let base = try Self.variable("XDG_CACHE_HOME"), base.utf8.first == 0x2f {
      path = base + "/cachectl"
      source = "XDG_CACHE_HOME"
    } else if let home = try Self.variable("HOME") {
      path = home + "/.cache/cachectl"
      source = "the default"
    } else {
      throw .nowhere
    }
  }

  private static func text(_ bytes: [UInt8], _ source: String) throws(Failure) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8(source) }
    return text
  }

  /// A variable that is set and not empty.
  private static func variable(_ name: String) throws(Failure) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    let bytes = UnsafeBufferPointer(start: value, count: strlen(value)).map {
      UInt8(bitPattern: $0)
    }
    return try text(bytes, name)
  }

  private static func nearestParent() -> String? {
    guard let working = getcwd(nil, 0) else { return nil }
    defer { free(working) }
    guard var path = String(validatingCString: working) else { return nil }
    while true {
      if access(path + "/cachectl.json", F_OK) == 0 { return path }
      guard let slash = path.utf8.lastIndex(of: 0x2f), path != "/" else { return nil }
      path = slash == path.startIndex ? "/" : String(path[..<slash])
    }
  }
}
