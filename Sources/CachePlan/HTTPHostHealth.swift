/// When a host is asked less, and when it is left alone for the rest of a run.
public struct HTTPHostRules: Sendable, Hashable {
  /// Failures in a row, repetitions included, after which a host is left alone.
  public var failuresInARow: Int
  /// Answers after which a share of "gone" can be judged.
  public var goneAtLeast: Int
  /// The percentage of "gone" among a host's answers that is no longer believed.
  public var goneShare: Int

  /// Ten failures in a row; 90 % gone among 20 answers or more.
  public init(failuresInARow: Int = 10, goneAtLeast: Int = 20, goneShare: Int = 90) {
    self.failuresInARow = failuresInARow
    self.goneAtLeast = goneAtLeast
    self.goneShare = goneShare
  }
}

/// Why a host is left alone for the rest of a run.
public enum HTTPHostVerdict: Sendable, Hashable {
  /// It failed or refused this many times in a row.
  case failing(inARow: Int)
  /// It says of nearly everything that it is gone: more likely a fault there than the truth.
  case goneNearly(gone: Int, of: Int)
  /// It asks for a longer wait than a run takes.
  case askedToWait(Duration)
}

/// What one host's answers in this run add up to.
public struct HTTPHostHealth: Sendable, Hashable {
  /// An answer, or the lack of one.
  public enum Event: Sendable, Hashable {
    /// 200, 304, a redirect, or whatever else shows a host at work.
    case served
    /// 404 or 410.
    case gone
    /// 401, 403, 429, 5xx, and every failure of the network.
    case failed
  }

  /// Requests that were answered or failed.
  public private(set) var asked = 0
  /// Of them the failures.
  public private(set) var failed = 0
  /// Of them the "gone".
  public private(set) var gone = 0
  private var inARow = 0

  /// No answer yet.
  public init() {}

  /// Counts one more.
  public mutating func record(_ event: Event) {
    asked += 1
    inARow = event == .failed ? inARow + 1 : 0
    switch event {
    case .served: break
    case .gone: gone += 1
    case .failed: failed += 1
    }
  }

  /// Why the host is left alone from now on; nil: it is not.
  public func verdict(_ rules: HTTPHostRules) -> HTTPHostVerdict? {
    if inARow >= max(1, rules.failuresInARow) { return .failing(inARow: inARow) }
    let answered = asked - failed
    let isGoneNearly =
      answered >= max(1, rules.goneAtLeast) && gone * 100 >= answered * rules.goneShare
    return isGoneNearly && gone > 0 ? .goneNearly(gone: gone, of: answered) : nil
  }
}

extension HTTPHostVerdict: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .failing(let inARow): "it failed \(inARow) times in a row"
    case .goneNearly(let gone, let answered):
      "it says of \(gone) in \(answered) images that they are gone"
    case .askedToWait(let wait): "it asks to wait \(wait.components.seconds) s"
    }
  }
}
