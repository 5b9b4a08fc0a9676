/// How a run ended, for whoever started it.
enum ExitStatus: Int32, CaseIterable {
  case done = 0
  case findings = 1
  case usage = 2
  case incomplete = 3
  case unmet = 4
  case busy = 5
  case notACache = 6

  /// What the manual says of it.
  var meaning: String {
    switch self {
    case .done: "done; nothing wrong"
    case .findings:
      "the cache has findings: damage (`verify`), a threshold passed (`stat --check`), a key not in the cache (`get`, `show`)"
    case .usage: "usage: nothing was done"
    case .incomplete:
      "could not do or check everything: permissions, I/O errors, origins that failed"
    case .unmet: "`gc`: the budget is not met; the report says why"
    case .busy: "busy: another run holds the lock and `--wait` ran out"
    case .notACache: "not a cache, or a newer layout"
    }
  }

  /// Which one is the status where several hold.
  static let precedence: [ExitStatus] = [.usage, .notACache, .busy, .findings, .unmet, .incomplete]
}

/// Everything that a run has to say by its status.
struct Verdict: Equatable {
  private(set) var holding: Set<ExitStatus> = []
  /// The signal that ended the run, after the step in hand.
  var signal: Int32?

  init(_ statuses: ExitStatus...) { holding = Set(statuses.filter { $0 != .done }) }

  mutating func add(_ status: ExitStatus, if holds: Bool = true) {
    if holds, status != .done { holding.insert(status) }
  }

  /// The process's status: 128+N after a signal, else the first of the precedence that holds.
  var status: Int32 {
    if let signal { return 128 + signal }
    return (ExitStatus.precedence.first { holding.contains($0) } ?? .done).rawValue
  }

  /// Every status that holds, in order of precedence.
  var all: [Int32] {
    let held = ExitStatus.precedence.filter { holding.contains($0) }.map(\.rawValue)
    return held.isEmpty ? [status] : held
  }
}
