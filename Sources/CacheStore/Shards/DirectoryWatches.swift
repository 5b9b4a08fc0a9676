internal import Synchronization

/// The watches of one store: for changes of many names, and for any change while the disk keeps
/// writers waiting.
final class DirectoryWatches: Sendable {
  private struct State {
    var spare: [DirectoryWatch] = []
    var madeCount = 0
    var waitsUntil: ContinuousClock.Instant?

    var isWaitExpected: Bool { waitsUntil.map { .now < $0 } ?? false }
  }

  private let state = Mutex(State())

  /// A host has 128 of them for each user unless told otherwise (/proc/sys/fs/inotify).
  private static let most = 4 * processorCount

  /// Where one change had to wait others will.
  private static let wait = Duration.seconds(10)

  /// A watch that has begun with a directory; nil where there is none or it would not do.
  func take(_ use: Use, beginningWith directory: borrowing Directory) -> DirectoryWatch? {
    guard let watch = take(use) else { return nil }
    if watch.begin(directory) { return watch }
    giveBack(watch)
    return nil
  }

  private func take(_ use: Use) -> DirectoryWatch? {
    state.withLock { state in
      guard use == .always || state.isWaitExpected else { return nil }
      if let watch = state.spare.popLast() { return watch }
      guard state.madeCount < Self.most, let new = DirectoryWatch() else { return nil }
      state.madeCount += 1
      return new
    }
  }

  enum Use {
    case always
    /// After a change that had to wait.
    case whereDue
  }

  func giveBack(_ watch: DirectoryWatch) {
    watch.end()
    state.withLock { $0.spare.append(watch) }
  }

  /// Notes that a change had to wait.
  func noteWait() { state.withLock { $0.waitsUntil = .now + Self.wait } }
}
