internal import CacheFetch
internal import CacheModel
internal import CacheStore
internal import Synchronization

/// A key that somebody waits for.
struct WantedKey: Sendable, Hashable {
  let key: CacheKey
  /// Since when: what was checked earlier is not good enough.
  let since: Instant
  /// How often this process had changed the entry by then.
  let change: UInt64

  /// One that is wanted from now on.
  init(_ key: CacheKey, in tiers: ImageTiers) {
    self.key = key
    since = .now
    change = tiers.changes.count(of: key)
  }
}

/// Keys for a reading that goes on while more of them come.
///
/// It is closed after a minute, or half of one without a key: what a run learns of hosts, such as which
/// to leave alone, holds for that run.
final class KeyFeed: Sendable {
  private struct State {
    var keys: [WantedKey] = []
    var isClosed = false
    var last = ContinuousClock.now
  }

  let bell: FetchBell
  /// Takes a key that another process is asking for.
  let leave: @Sendable (WantedKey) -> Void
  private let began = ContinuousClock.now
  private let state = Mutex(State())

  static let longest = Duration.seconds(60)
  static let longestRest = Duration.seconds(30)

  /// Nil where the process may open no more files.
  init?(leaving leave: @escaping @Sendable (WantedKey) -> Void) {
    guard let bell = FetchBell() else { return nil }
    self.bell = bell
    self.leave = leave
  }

  /// Adds a key; false where it came too late and another feed is needed.
  func add(_ key: WantedKey) -> Bool {
    let isTaken = state.withLock { state in
      if ContinuousClock.now - began > Self.longest { state.isClosed = true }
      if state.isClosed { return false }
      state.keys.append(key)
      state.last = .now
      return true
    }
    if isTaken { bell.ring() } else { bell.putAway() }
    return isTaken
  }

  /// The next key; nil: none for now.
  func next() -> WantedKey? {
    state.withLock { $0.keys.isEmpty ? nil : $0.keys.removeFirst() }
  }

  /// Closes the feed where nothing came for long.
  func rest() {
    let isOver = state.withLock { state in
      guard state.keys.isEmpty, ContinuousClock.now - state.last > Self.longestRest else {
        return false
      }
      state.isClosed = true
      return true
    }
    if isOver { bell.putAway() }
  }

  /// Closes the feed and gives what nobody took.
  func close() -> [WantedKey] {
    state.withLock { state in
      state.isClosed = true
      defer { state.keys = [] }
      return state.keys
    }
  }
}
