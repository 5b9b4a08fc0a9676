public import CacheModel
internal import Glibc

/// What to check and how.
public struct VerifyRequest: Sendable {
  /// The present.
  public var now: Instant
  /// Threads that read; nil for as many as processors, and more while the disk is waited for.
  public var jobs: Int?
  /// Asked now and then: whether to end with what is done.
  public var shouldStop: @Sendable () -> Bool = { false }
  /// Told how many entries were read since the last time, and their bytes. From several threads.
  public var progress: @Sendable (Int64, Int64) -> Void = { _, _ in }

  /// Asks for everything to be checked.
  public init(now: Instant) { self.now = now }
}

extension Store {
  /// Hashes every object and compares it with its records.
  ///
  /// Changes nothing, no time either, and takes a shard's lock, shared, only to look again at what
  /// was suspicious. What is replaced meanwhile is looked at again and never damage. One object in
  /// trouble never keeps another from being checked.
  ///
  /// - Parameters:
  ///   - request: what to check.
  ///   - found: takes findings as they come, in the order of the shards, one batch at a time.
  /// - Returns: the numbers.
  public func verify(
    _ request: VerifyRequest, found: @escaping @Sendable ([Finding]) -> Void
  ) -> VerifyTally {
    var tally = VerifyTally()
    let outside = findOutside(now: request.now)
    tally.merge(outside.tally)
    if !outside.findings.isEmpty { found(outside.findings) }
    let run = VerifyRun(self, request) { found(self.withKeys($0)) }
    tally.merge(run.run())
    return tally
  }

  /// The findings with the keys that etag.jsonl holds for them, a batch at a time: in a cache that
  /// is damaged all over they must not fill the memory.
  private func withKeys(_ findings: [Finding]) -> [Finding] {
    var findings = findings
    let keys = keys(of: findings.compactMap(\.name))
    for index in findings.indices {
      findings[index].key = findings[index].name.flatMap { keys[$0] }
    }
    return findings
  }
}
