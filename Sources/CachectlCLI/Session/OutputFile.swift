internal import CacheStore
internal import Glibc

/// A file that a command writes: beside its place, and renamed into it when it is whole.
///
/// What is there and is no regular file (a terminal, a pipe) is written to as it is.
struct OutputFile {
  private let path: [UInt8]

  init(_ path: [UInt8]) { self.path = path }

  /// Takes bytes; false where there is no sense in more.
  typealias Sink = (UnsafeRawBufferPointer) -> Bool

  /// Has `body` write to the file.
  func write(_ body: (Sink) throws(StoreError) -> Void) throws(Session.Failure) {
    let draft = try draft()
    let descriptor = open(cString(draft ?? path), flags(isDraft: draft != nil), 0o666)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    do throws(Session.Failure) {
      try fill(descriptor, body)
      if let draft, rename(cString(draft), cString(try place())) != 0 { throw failure(errno) }
    } catch {
      if let draft { unlink(cString(draft)) }
      throw error
    }
  }

  private func flags(isDraft: Bool) -> Int32 {
    O_WRONLY | O_CLOEXEC | (isDraft ? O_CREAT | O_EXCL : O_APPEND)
  }

  private func fill(
    _ descriptor: Int32, _ body: (Sink) throws(StoreError) -> Void
  ) throws(Session.Failure) {
    var failed: Int32?
    do throws(StoreError) {
      try body { bytes in
        failed = Self.write(bytes, to: descriptor)
        return failed == nil
      }
    } catch { throw Session.Failure(error) }
    if let failed { throw failure(failed) }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
    var rest = bytes
    while rest.count > 0 {
      let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if written < 0, errno != EINTR { return errno }
      rest = UnsafeRawBufferPointer(rebasing: rest[max(0, written)...])
    }
    return nil
  }

  /// The name to write under first; nil for what is there and is no regular file.
  private func draft() throws(Session.Failure) -> [UInt8]? {
    // An open file by its number (/dev/stdout): others may write to it as well, so it is added to.
    if isDescriptor { return nil }
    var status = stat()
    if stat(cString(path), &status) == 0, status.st_mode & S_IFMT != S_IFREG { return nil }
    return try place() + ".\(getpid()).part".utf8
  }

  /// Whether the path is a link, or leads over links to one, that stands for an open file of a process
  /// (proc(5)): what such a link reads as is no name to put a file at.
  private var isDescriptor: Bool {
    var link = path
    // The kernel follows no more either (path_resolution(7)).
    for _ in 0..<40 {
      var target = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlink(cString(link), &target, target.count)
      guard count > 0 else { return false }
      let folder = Self.folder(of: link)
      if isOfProcesses(folder + Array("/.".utf8)) { return true }
      let next = target[..<count].map { UInt8(bitPattern: $0) }
      link = next.first == UInt8(ascii: "/") ? next : folder + [UInt8(ascii: "/")] + next
    }
    return false
  }

  private func isOfProcesses(_ folder: [UInt8]) -> Bool {
    var (own, processes) = (stat(), stat())
    // proc(5)'s root has the number 1: an empty folder without the file system has not.
    return stat(cString(folder), &own) == 0 && stat("/proc", &processes) == 0
      && processes.st_ino == 1 && own.st_dev == processes.st_dev
  }

  private static func folder(of path: [UInt8]) -> [UInt8] {
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return [UInt8(ascii: ".")] }
    return Array(path[..<slash])
  }

  /// Where the file goes: through a link to what the link names.
  private func place() throws(Session.Failure) -> [UInt8] {
    guard let real = realpath(cString(path), nil) else { return path }
    defer { free(real) }
    return UnsafeBufferPointer(start: real, count: strlen(real)).map { UInt8(bitPattern: $0) }
  }

  private func cString(_ path: [UInt8]) -> [CChar] { path.map { CChar(bitPattern: $0) } + [0] }

  private func failure(_ code: Int32) -> Session.Failure {
    let shown = printable(String(decoding: path, as: UTF8.self))
    return Session.Failure(.incomplete, "cannot write \(shown): \(Errno(code))")
  }
}
