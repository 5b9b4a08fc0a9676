internal import CacheModel
internal import Glibc

/// Standard output: results and nothing else.
///
/// A reader that goes away ends what is written, never the run: a listing asks ``isClosed`` and
/// stops, a run that deletes goes on. For one thread.
final class Output {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  /// Whether the reader went away.
  private(set) var isClosed = false
  /// Why output was lost, where it was for another reason.
  private(set) var failure: Int32?

  init(descriptor: Int32 = STDOUT_FILENO) { self.descriptor = descriptor }

  func line(_ text: String) {
    buffer.append(contentsOf: text.utf8)
    buffer.append(0x0a)
    if buffer.count > 1 << 16 { flush() }
  }

  func write(_ bytes: some Sequence<UInt8>) {
    buffer.append(contentsOf: bytes)
    if buffer.count > 1 << 16 { flush() }
  }

  /// Writes JSON that is complete so far.
  func write(_ json: inout JSONText) { json.drain { write($0) } }

  func flush() {
    buffer.withUnsafeBytes { send($0) }
    buffer.removeAll(keepingCapacity: true)
  }

  private func send(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    while rest.count > 0, !isClosed, failure == nil {
      let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if written >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[written...])
      } else if errno == EPIPE {
        isClosed = true
      } else if errno != EINTR {
        failure = errno
      }
    }
  }
}

/// Standard error: what is said to people.
enum Talk {
  static func say(_ text: String) {
    let line = Array((text + "\n").utf8)
    // Nobody can be told that nobody can be told.
    _ = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
