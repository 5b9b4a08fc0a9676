internal import Glibc

/// Ends a run from outside it: from another thread or from a signal handler.
public final class FetchStop: Sendable {
  private let pipe: WakePipe

  /// A stop that nobody has asked for yet; nil where the process may open no more files.
  public init?() {
    guard let pipe = WakePipe() else { return nil }
    self.pipe = pipe
  }

  /// Asks for the end.
  ///
  /// Safe in a signal handler: it is one `write`.
  public func request() { pipe.wake() }

  /// Readable once the end was asked for, for whoever waits by poll(2); it lives as long as the stop.
  public var descriptor: Int32 { pipe.descriptor }

  /// Whether the end was asked for.
  public var isRequested: Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&state, 1, 0) > 0
  }
}
