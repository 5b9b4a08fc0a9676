internal import CacheModel
internal import Glibc

/// Where an import begins: a directory, open, and how a person named it.
final class SourceRoot: Sendable {
  let directory: Directory
  private let shown: [UInt8]

  init(_ directory: consuming Directory, shown: [UInt8]) {
    self.directory = directory
    self.shown = shown
  }

  /// A path as a person would name it.
  func shown(_ path: [UInt8]) -> [UInt8] {
    let isJoined = shown.isEmpty || shown.last == UInt8(ascii: "/") || path.isEmpty
    return isJoined ? shown + path : shown + "/".utf8 + path
  }
}

/// Finds the regular files of a tree, following no symbolic link.
///
/// Memory is that of the directories on the way and one of their listings.
struct TreeWalk {
  /// What is walked: a directory, or the one that holds the file.
  let root: SourceRoot
  private let cache: FileStatus
  /// Directories still to be listed, relative to the root, each with a slash at its end.
  private var ahead: [[UInt8]] = []
  private var file: [UInt8]?
  /// What was left out, and what could not be read.
  private(set) var outcome = ImportOutcome()
  private var buffer = [UInt8](repeating: 0, count: 1 << 15)

  /// Opens `path`, which may be a link itself: a person named it.
  init(path: [UInt8], cache: FileStatus) throws(Errno) {
    self.cache = cache
    let opened = try OpenFile(path: path, O_RDONLY | O_NONBLOCK)
    if try opened.status().kind == .directory {
      root = SourceRoot(Directory(opened), shown: path)
      ahead = [[]]
      return
    }
    let name = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    let parent = name == 0 ? Array("./".utf8) : Array(path[..<name])
    root = SourceRoot(
      Directory(try OpenFile(path: parent, O_RDONLY | O_DIRECTORY)),
      shown: name == 0 ? [] : parent)
    file = Array(path[name...])
  }

  /// The files of the next directory, by their paths below the root; nil at the end.
  mutating func next() -> [[UInt8]]? {
    if let file {
      self.file = nil
      return [file]
    }
    guard let directory = ahead.popLast() else { return nil }
    var files: [[UInt8]] = []
    do throws(Errno) { try list(directory, into: &files) } catch {
      outcome.fail(root.shown(directory), "\(error)")
    }
    return files
  }

  private mutating func list(_ path: [UInt8], into files: inout [[UInt8]]) throws(Errno) {
    let dot = Array(".".utf8)
    let directory = Directory(
      try root.directory.open(
        raw: (path.isEmpty ? dot : path.dropLast()) + [0], O_RDONLY | O_DIRECTORY))
    let status = try directory.status()
    if status.inode == cache.inode, status.device == cache.device {
      outcome.others += 1
      return
    }
    var found: [(name: [UInt8], type: UInt8)] = []
    var buffer: [UInt8] = []
    swap(&buffer, &self.buffer)
    defer { swap(&buffer, &self.buffer) }
    try buffer.withMutableBytes { (buffer) throws(Errno) in
      try directory.forEachName(using: buffer) { (name, type) throws(Errno) in
        found.append((Array(name), type))
      }
    }
    for (name, type) in found { take(name, type, of: path, directory, &files) }
  }

  private mutating func take(
    _ name: [UInt8], _ type: UInt8, of path: [UInt8], _ directory: borrowing Directory,
    _ files: inout [[UInt8]]
  ) {
    switch kind(name, type, directory) {
    case .regular: files.append(path + name)
    case .directory: ahead.append(path + name + "/".utf8)
    case .link: outcome.links += 1
    default: outcome.others += 1
    }
  }

  private func kind(
    _ name: [UInt8], _ type: UInt8, _ directory: borrowing Directory
  ) -> FileStatus.Kind {
    switch Int(type) {
    case Int(DT_REG): .regular
    case Int(DT_DIR): .directory
    case Int(DT_LNK): .link
    // Some file systems leave the type open. What cannot be looked at cannot be opened either, and
    // says so then.
    case Int(DT_UNKNOWN):
      (name + [0]).withUnsafeBytes { name in
        name.assumingMemoryBound(to: CChar.self).baseAddress.flatMap {
          try? directory.status(of: $0).kind
        } ?? .regular
      }
    default: .device
    }
  }
}

extension OpenFile {
  /// Opens an ordinary path, links included: what a person named.
  ///
  /// It need not be UTF-8.
  init(path: [UInt8], _ flags: Int32) throws(Errno) {
    let name = path.map { CChar(bitPattern: $0) } + [0]
    self.init(owning: try Errno.check { Glibc.open(name, flags | O_CLOEXEC) })
  }
}
