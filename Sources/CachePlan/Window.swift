internal import CacheModel

/// The candidates of one scan while victims are chosen among them.
struct Window {
  private var candidates: [Candidate]
  /// Candidates whose last use turned out to lie behind the window, as many as memory allows.
  private var passed: [Candidate] = []
  /// Where the window's knowledge ends; nil where it reaches to the end of the order.
  let end: Candidate.Key?
  /// The victims are the first so many candidates.
  private(set) var victimCount = 0
  private(set) var cutoffs = Cutoffs()
  /// The oldest last use that stays, where the window reaches that far.
  private(set) var oldestKept: Instant?
  /// Whether entries that would have been next are held by the grace period.
  private(set) var isHeldByGrace = false
  /// Candidates whose last use turned out, when they were looked at, to lie in the future.
  private(set) var futureCount: Int64 = 0
  private let graceCutoff: Instant

  init(_ pool: consuming CandidatePool, graceCutoff: Instant) {
    end = pool.horizon
    candidates = pool.kept
    self.graceCutoff = graceCutoff
  }

  private static var mostPassed: Int { 65_536 }

  /// Hands out entries that were looked at and stay: their recorded last uses may be outdated.
  ///
  /// Those that lie within the window are soon victims and not worth it.
  mutating func learnt(_ body: (UnsafeMutableBufferPointer<Candidate>) -> Void) {
    passed.withUnsafeMutableBufferPointer { all in
      let count = all.gather { !$0.traits.contains(.stray) }
      body(Buffer(rebasing: all[..<count]))
    }
    passed = []
  }

  /// Lets go of the candidates, before another window takes as much memory.
  mutating func close() { candidates = [] }

  /// Chooses the victims that `demand` asks for, looking at objects until every victim, and the
  /// first one that stays, is known to stand before everything not looked at.
  ///
  /// Ended early by the request, it chooses none.
  mutating func choose<Store: Inventory>(
    _ demand: Demand, in store: Store, _ request: ScanRequest
  ) -> Int64 {
    var looked: Int64 = 0
    // Each round goes through the whole window: it looks at twice as many as the one before, so that
    // a thousand outdated bounds in front take ten rounds and not a thousand.
    var ahead = 1
    while true {
      let unknown = arrange(demand, ahead: ahead)
      if unknown == 0 { return looked }
      ahead *= 2
      looked += Int64(unknown)
      let before = count(.future, among: unknown)
      candidates.withUnsafeMutableBufferPointer {
        store.look(at: .init(rebasing: $0[..<unknown]), request)
      }
      futureCount += count(.future, among: unknown) - before
      if request.shouldStop() {
        (victimCount, oldestKept) = (0, nil)
        return looked
      }
      dropPassed(among: unknown)
    }
  }

  /// Lets go of those of the first `count` that are gone or belong into a later window.
  private mutating func dropPassed(among count: Int) {
    if let end {
      let room = Self.mostPassed - passed.count
      passed += candidates[..<count].lazy.filter { $0.isExact && end <= $0.key }.prefix(room)
    }
    candidates.removeAll { candidate in
      candidate.traits.contains(.gone) || (end.map { $0 <= candidate.key } ?? false)
    }
  }

  private func count(_ trait: Candidate.Traits, among first: Int) -> Int64 {
    Int64(candidates[..<first].count { $0.traits.contains(trait) })
  }

  /// Puts victims first and behind them the one that stays and was used longest ago; where one of
  /// these is not yet looked at, moves it and others of the first `ahead` behind the victims to the
  /// front and says how many they are.
  private mutating func arrange(_ demand: Demand, ahead: Int) -> Int {
    let graceCutoff = graceCutoff
    return candidates.withUnsafeMutableBufferPointer { all in
      let eligible = all.gather { $0.lastUse <= graceCutoff }
      (victimCount, cutoffs) = Buffer(rebasing: all[..<eligible]).partition(demand)
      isHeldByGrace = victimCount == eligible && eligible < all.count
      guard let next = all[victimCount...].indices.min(by: { all[$0].lastUse < all[$1].lastUse })
      else {
        oldestKept = nil
        return Buffer(rebasing: all[..<victimCount]).gather { !$0.isExact }
      }
      all.swapAt(victimCount, next)
      oldestKept = all[victimCount].lastUse
      if all[...victimCount].allSatisfy(\.isExact) { return 0 }
      let rest = Buffer(rebasing: all[(victimCount + 1)...])
      let looked = min(ahead - 1, rest.count)
      rest.partition(smallest: looked)
      return Buffer(rebasing: all[...(victimCount + looked)]).gather { !$0.isExact }
    }
  }

  private typealias Buffer = UnsafeMutableBufferPointer<Candidate>

  /// Hands out the victims, oldest first, `size` at a time, and forgets them.
  ///
  /// Stops where `dispose` says so.
  mutating func disposeOfVictims(
    size: Int, _ dispose: (UnsafeMutableBufferPointer<Candidate>, Cutoffs) -> Bool
  ) {
    let (count, cutoffs) = (victimCount, cutoffs)
    candidates.withUnsafeMutableBufferPointer { all in
      var start = 0
      while start < count {
        let rest = Buffer(rebasing: all[start..<count])
        let batch = min(size, rest.count)
        rest.partition(smallest: batch)
        guard dispose(Buffer(rebasing: rest[..<batch]), cutoffs) else { return }
        start += batch
      }
    }
    candidates.removeSubrange(..<count)
    victimCount = 0
  }
}
