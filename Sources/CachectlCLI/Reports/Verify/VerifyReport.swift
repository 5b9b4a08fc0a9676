internal import CacheModel
internal import CacheStore

/// What a verify run came to.
struct VerifyReport {
  var root: String
  var result: VerifyResult
  /// Whether any finding is a failure.
  var isStrict: Bool
  var signal: Int32?
  var promise: CoveragePromise?
  var coverage: Coverage?

  var tally: VerifyTally { result.tally }

  /// Whether everything that was to be checked was.
  var isComplete: Bool {
    signal == nil && result.reachedEnd && tally[.unreadable] == 0 && tally.changing == 0
  }

  /// Findings that no crash, eviction or simple writer leaves behind.
  var failures: Int64 {
    Finding.Kind.allCases.filter(\.isFailure).reduce(-tally.tornLines) { $0 + tally[$1] }
  }

  /// Findings of every class.
  var findings: Int64 { Finding.Kind.allCases.reduce(0) { $0 + tally[$1] } }

  /// Whether the promise is kept; nil where there is none.
  var isPromiseKept: Bool? {
    guard let promise, let coverage else { return nil }
    return coverage.share >= promise.share
  }

  /// How the process ends.
  var verdict: Verdict {
    var verdict = Verdict()
    verdict.add(.findings, if: failures > 0 || isStrict && findings > tally[.unreadable])
    verdict.add(.findings, if: isPromiseKept == false)
    verdict.add(.incomplete, if: tally[.unreadable] > 0 || tally.changing > 0)
    verdict.add(.incomplete, if: result.repaired.failed > 0)
    verdict.signal = signal
    return verdict
  }
}
