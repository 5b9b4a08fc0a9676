internal import Glibc

/// A pipe that wakes whoever polls its end, from another thread or from a signal handler.
struct WakePipe: ~Copyable, Sendable {
  /// Readable once woken.
  let descriptor: Int32
  private let other: Int32

  /// Nil where the process may open no more files.
  init?() {
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

  /// One `write`: safe in a signal handler.
  func wake() {
    var byte: UInt8 = 1
    // A full pipe has been woken already.
    _ = write(other, &byte, 1)
  }

  /// Forgets the calls so far.
  func quiet() {
    var bytes: (UInt64, UInt64) = (0, 0)
    while read(descriptor, &bytes, 16) == 16 {}
  }
}
