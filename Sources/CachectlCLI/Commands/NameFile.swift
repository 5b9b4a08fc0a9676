internal import CacheModel
internal import CacheStore
internal import Glibc

/// A file of keys and names, one a line, as `rm --from` takes it.
struct NameFile {
  private let path: [UInt8]

  init(_ path: [UInt8]) { self.path = path }

  private var shown: String {
    path == Array("-".utf8) ? "standard input" : printable(String(decoding: path, as: UTF8.self))
  }

  /// Every entry that the file names.
  ///
  /// All of it is read before anything is done with it, so that a line that names nothing is a
  /// usage error.
  func names(_ session: Session) throws(Session.Failure) -> [EntryName] {
    let file = try open()
    defer { fclose(file) }
    var names: [EntryName] = []
    var line: UnsafeMutablePointer<CChar>?
    var size = 0
    defer { free(line) }
    var number = 0
    while case let got = getline(&line, &size, file), got >= 0, let start = line {
      number += 1
      var bytes = UnsafeRawBufferPointer(start: start, count: got)[...]
      if bytes.last == UInt8(ascii: "\n") { bytes = bytes.dropLast() }
      if bytes.isEmpty { continue }
      names.append(try name(Array(bytes), number, session))
    }
    guard ferror(file) == 0 else { throw failure(errno) }
    return names
  }

  private func name(
    _ bytes: [UInt8], _ number: Int, _ session: Session
  ) throws(Session.Failure) -> EntryName {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Session.Failure(.usage, "\(shown):\(number): not UTF-8")
    }
    do { return try EntryTarget(text, session).name } catch {
      throw Session.Failure(error.status, "\(shown):\(number): \(error.message)")
    }
  }

  private func open() throws(Session.Failure) -> UnsafeMutablePointer<FILE> {
    if path == Array("-".utf8) {
      guard let file = fdopen(dup(STDIN_FILENO), "r") else { throw failure(errno) }
      return file
    }
    guard let file = fopen(path.map { CChar(bitPattern: $0) } + [0], "re") else {
      throw failure(errno)
    }
    return file
  }

  private func failure(_ code: Int32) -> Session.Failure {
    Session.Failure(.incomplete, "cannot read \(shown): \(Errno(code))")
  }
}
