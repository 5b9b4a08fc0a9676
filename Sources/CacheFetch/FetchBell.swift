internal import Synchronization

/// Wakes a run whose client may have more requests later: from another thread.
///
/// Such a run does not end for want of requests before the bell is put away.
public final class FetchBell: Sendable {
  private let pipe: WakePipe
  private let isAway = Atomic<Bool>(false)

  /// A bell that nobody has rung yet; nil where the process may open no more files.
  public init?() {
    guard let pipe = WakePipe() else { return nil }
    self.pipe = pipe
  }

  /// Tells that there may be requests.
  public func ring() { pipe.wake() }

  /// Tells that none will come any more: the run ends with the last of those that it has.
  public func putAway() {
    isAway.store(true, ordering: .releasing)
    ring()
  }

  var isPutAway: Bool { isAway.load(ordering: .acquiring) }

  /// Readable once the bell has been rung.
  var descriptor: Int32 { pipe.descriptor }

  /// Forgets the rings so far: whoever waits next waits for another.
  func quiet() { pipe.quiet() }
}
