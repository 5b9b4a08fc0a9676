public import CacheModel
internal import Glibc

/// What to check and how.
public struct VerifyRequest: Sendable {
  /// The present.
  public var now: Instant
  /// How much of the cache.
  public var scope = VerifyScope.everything
  /// Threads that read; nil for as many as processors, and more while the disk is waited for.
  public var jobs: Int?
  /// Bytes per second at most.
  public var rate: Int64?
  /// What to do about damage.
  public var repair = VerifyRepair.none
  /// Whether objects without a record are given one.
  public var adoptsStrays = false
  /// Whether each object must be an image, of its declared type and whole.
  public var images = ImageDepth.none
  /// Whether results are kept in state/, for checks of a part and for ``Store/coverage(within:now:)``.
  public var keepsResults = true
  /// Asked now and then: whether to end with what is done.
  public var shouldStop: @Sendable () -> Bool = { false }
  /// Told how many entries were read since the last time, and their bytes.
  ///
  /// From several threads.
  public var progress: @Sendable (Int64, Int64) -> Void = { _, _ in }

  /// Asks for everything to be checked.
  public init(now: Instant) { self.now = now }
}

/// What a check came to.
public struct VerifyResult: Sendable {
  /// The numbers.
  public var tally = VerifyTally()
  /// What was repaired.
  public var repaired = RepairTally()
  /// Whether everything that was asked for was checked; what could not be read is counted apart.
  public var reachedEnd = true
  /// Whether only a part of the cache was asked for.
  public var isPartial = false
  /// Why results were not kept, where they were to be.
  public var keepingTrouble: String?
}

extension Store {
  /// Hashes objects and compares them with their records.
  ///
  /// Unless a repair is asked for it changes nothing but state/, no time either, and takes a shard's
  /// lock, shared, only to look again at what was suspicious. What is replaced meanwhile is looked at
  /// again and never damage. One object in trouble never keeps another from being checked.
  ///
  /// - Parameters:
  ///   - request: what to check.
  ///   - found: takes findings as they come, in the order in which shards are checked, one batch at
  ///     a time, from whichever thread is done.
  /// - Returns: the numbers.
  public func verify(
    _ request: VerifyRequest, found: @escaping @Sendable ([Finding]) -> Void
  ) -> VerifyResult {
    var result = VerifyResult()
    let times = VerifiedTimes(of: self)
    let plan = plan(request, times)
    result.isPartial = plan.isPartial
    if case .everything = request.scope {
      let outside = findOutside(now: request.now)
      result.tally.merge(outside.tally)
      if !outside.findings.isEmpty { found(outside.findings) }
    }
    let keeper = keeper(request, times, &result)
    let run = VerifyRun(self, request, plan, keeper) { found(self.withKeys($0)) }
    run.run(&result)
    keeper?.finish()
    result.keepingTrouble = result.keepingTrouble ?? keeper?.trouble
    return result
  }

  private func plan(_ request: VerifyRequest, _ times: VerifiedTimes) -> VerifyPlan {
    switch request.scope {
    case .everything: return .everything
    case .failed: return VerifyPlan(failed: FailureLog.read(self, times))
    case .part(let limits):
      let window = limits.promise?.window ?? .zero
      let census = UnitCensus(of: self, times, since: request.now.before(by: window))
      return VerifyPlan(census, times, limits)
    }
  }

  private func keeper(
    _ request: VerifyRequest, _ times: VerifiedTimes, _ result: inout VerifyResult
  ) -> ResultKeeper? {
    guard request.keepsResults, configuration.layout <= Layout.version else { return nil }
    do { return try ResultKeeper(of: self, times) } catch {
      result.keepingTrouble = "cannot write \(VerifiedTimes.path): \(error)"
      return nil
    }
  }

  /// The findings with the keys that etag.jsonl holds for them.
  private func withKeys(_ findings: [Finding]) -> [Finding] {
    var findings = findings
    let keys = keys(of: findings.compactMap(\.name))
    for index in findings.indices {
      findings[index].key = findings[index].name.flatMap { keys[$0] }
    }
    return findings
  }
}
