internal import CacheModel

/// Candidates in runs of one shard each, handed out to several threads: each run is one thread's alone.
struct CandidateRuns: @unchecked Sendable {
  private let runs: [UnsafeMutableBufferPointer<Candidate>]
  private let queue: WorkQueue

  var count: Int { runs.count }

  /// Gathers the candidates of each shard.
  ///
  /// - Parameters:
  ///   - candidates: moved where they are; they must outlive the runs.
  ///   - least: runs of fewer are left out.
  ///   - most: longer runs are split.
  init(
    gathering candidates: UnsafeMutableBufferPointer<Candidate>, least: Int = 1, most: Int = .max
  ) {
    runs = candidates.gatherShards().filter { $0.count >= least }.flatMap { $0.pieces(of: most) }
    queue = WorkQueue(runs.count)
  }

  /// The next run; nil once there are no more.
  func take() -> UnsafeMutableBufferPointer<Candidate>? { queue.take().map { runs[$0] } }
}

extension UnsafeMutableBufferPointer<Candidate> {
  /// Moves the candidates of each shard together and returns them, shard by shard.
  ///
  /// In place, each candidate moved at most once: McIlroy's, Bostic's and McIlroy's American flag sort
  /// (Computing Systems 6(1), 1993) by the first byte alone.
  fileprivate func gatherShards() -> [Self] {
    var counts = [Int](repeating: 0, count: Shard.all.count)
    for candidate in self { counts[Int(candidate.name.shard.number)] += 1 }
    var ends: [Int] = []
    for count in counts { ends.append((ends.last ?? 0) + count) }
    var fronts = zip(ends, counts).map { $0 - $1 }
    for shard in fronts.indices {
      while fronts[shard] < ends[shard] {
        let home = Int(self[fronts[shard]].name.shard.number)
        if home != shard { swapAt(fronts[shard], fronts[home]) }
        fronts[home] += 1
      }
    }
    return zip(ends, counts).map { Self(rebasing: self[$0 - $1..<$0]) }
  }

  /// The buffer, which is not empty, in parts of at most `size`.
  fileprivate func pieces(of size: Int) -> [Self] {
    let size = Swift.min(size, count)
    return stride(from: 0, to: count, by: size).map {
      Self(rebasing: self[$0..<Swift.min($0 + size, count)])
    }
  }
}
