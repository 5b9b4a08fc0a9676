internal import Glibc

/// Ends a run from outside it: from another thread or from a signal handler.
public final class FetchStop: Sendable {
  /// Readable once the end was asked for.
  let descriptor: Int32
  private let other: Int32

  /// A stop that nobody has asked for yet; nil where the process may open no more files.
  public init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (descriptor, other) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(other)
  }

  /// Asks for the end.
  ///
  /// Safe in a signal handler: it is one `write`.
  public func request() {
    var byte: UInt8 = 1
    // A full pipe has been asked already.
    _ = write(other, &byte, 1)
  }

  /// Whether the end was asked for.
  public var isRequested: Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&state, 1, 0) > 0
  }
}
