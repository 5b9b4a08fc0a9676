internal import CacheModel
internal import Glibc

// The directories and files of the layout, made again where somebody took them away.

extension Directory {
  /// Opens a file of the layout; nil where there is none.
  func openExisting(_ name: String, _ flags: Int32) throws(Errno) -> OpenFile? {
    do { return try open(name, flags | O_NONBLOCK) } catch {
      if error == .notFound { return nil }
      throw error
    }
  }

  /// Opens a file of the layout, making it with the right mode where it is missing.
  func openOrMake(
    _ name: String, _ flags: Int32, ownership: Ownership
  ) throws(Errno) -> OpenFile {
    while true {
      if let file = try openExisting(name, flags) { return file }
      do {
        let made = try open(name, flags | O_CREAT | O_EXCL, mode: ownership.fileMode)
        try ownership.settle(made)
        return made
      } catch {
        // Somebody else made it just now.
        guard error == .exists else { throw error }
      }
    }
  }

  /// Opens a directory of the layout, making it where it is missing: people who need room remove
  /// whole directories.
  func directory(_ path: String, orMake ownership: Ownership) throws(Errno) -> Directory {
    do { return try directory(path) } catch {
      guard error == .notFound else { throw error }
    }
    try make(path, ownership)
    return try directory(path)
  }

  /// Makes a directory of the layout unless it is there.
  func make(_ path: String, _ ownership: Ownership) throws(Errno) {
    do { try makeDirectory(path, mode: ownership.directoryMode) } catch {
      guard error == .exists else { throw error }
    }
    try ownership.settle(directory(path))
  }
}
