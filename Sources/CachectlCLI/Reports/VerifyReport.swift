internal import CacheModel
internal import CacheStore

/// What a verify run came to.
struct VerifyReport {
  var root: String
  var tally: VerifyTally
  /// Whether any finding is a failure.
  var isStrict: Bool
  var signal: Int32?

  /// Whether everything that was to be checked was.
  var isComplete: Bool { signal == nil && tally[.unreadable] == 0 && tally.changing == 0 }

  /// Findings that no crash, eviction or simple writer leaves behind.
  var damage: Int64 { tally[.damaged] + tally[.damagedLine] - tally.tornLines }

  /// Findings of every class.
  var findings: Int64 { Finding.Kind.allCases.reduce(0) { $0 + tally[$1] } }

  /// How the process ends.
  var verdict: Verdict {
    var verdict = Verdict()
    verdict.add(.findings, if: damage > 0 || isStrict && findings > tally[.unreadable])
    verdict.add(.incomplete, if: !isComplete)
    verdict.signal = signal
    return verdict
  }
}
