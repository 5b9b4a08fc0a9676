internal import CacheModel

/// Candidates in runs of one shard each, handed out to several threads: each run is one thread's alone.
struct CandidateRuns: @unchecked Sendable {
  private let runs: [UnsafeMutableBufferPointer<Candidate>]
  private let queue: WorkQueue

  var count: Int { runs.count }

  /// One run a shard.
  ///
  /// - Parameters:
  ///   - candidates: moved where they are; they must outlive the runs.
  ///   - least: runs of fewer are left out.
  init(ofShards candidates: UnsafeMutableBufferPointer<Candidate>, least: Int = 1) {
    let all = candidates.gathered(into: Shard.all.count) { Int($0.name.shard.number) }
    self.init(all.filter { $0.count >= least })
  }

  /// Runs in the order in which removing changes the fewest blocks at a time.
  ///
  /// A removal changes a block of a directory and one of the inode table, and the inodes of one
  /// directory lie all over the table. A journal writes each block once for as many changes as fall into
  /// one of its transactions. So many victims go in rounds: in each, a quarter of the shards and the
  /// part of the table that makes the round about one transaction.
  ///
  /// - Parameters:
  ///   - victims: moved where they are; they must outlive the runs.
  ///   - most: longer runs are split.
  init(forRemoving victims: UnsafeMutableBufferPointer<Candidate>, most: Int) {
    let parts = max(1, victims.count / Self.victimsAtATime)
    let part = victims.partsOfPlaces(parts)
    let runs = victims.gathered(into: Shard.all.count * parts) { victim in
      let (group, shard) = Int(victim.name.shard.number).quotientAndRemainder(
        dividingBy: Self.shardsAtATime)
      return (group * parts + part[Int(victim.place)]) * Self.shardsAtATime + shard
    }
    self.init(runs.flatMap { $0.pieces(of: most) })
  }

  // Measured on ext4 with a journal of 256 MiB, of which a transaction is a quarter: half of a million
  // entries in rounds of 16 to 128 shards and 1 to 1000 parts.
  private static let shardsAtATime = 64
  private static let victimsAtATime = 1 << 16

  private init(_ runs: [UnsafeMutableBufferPointer<Candidate>]) {
    self.runs = runs
    queue = WorkQueue(runs.count)
  }

  /// The next run; nil once there are no more.
  func take() -> UnsafeMutableBufferPointer<Candidate>? { queue.take().map { runs[$0] } }
}

extension UnsafeMutableBufferPointer<Candidate> {
  /// Moves the candidates of each bucket together and returns those that have any, in their order.
  ///
  /// In place, each candidate moved at most once: McIlroy's, Bostic's and McIlroy's American flag sort
  /// (Computing Systems 6(1), 1993), one pass of it.
  fileprivate func gathered(into buckets: Int, by bucket: (Candidate) -> Int) -> [Self] {
    var counts = [Int](repeating: 0, count: buckets)
    for candidate in self { counts[bucket(candidate)] += 1 }
    var ends: [Int] = []
    for count in counts { ends.append((ends.last ?? 0) + count) }
    var fronts = zip(ends, counts).map { $0 - $1 }
    for index in fronts.indices {
      while fronts[index] < ends[index] {
        let home = bucket(self[fronts[index]])
        if home != index { swapAt(fronts[index], fronts[home]) }
        fronts[home] += 1
      }
    }
    return zip(ends, counts).filter { $1 > 0 }.map { Self(rebasing: self[$0 - $1..<$0]) }
  }

  /// The part of each place where the candidates' places are cut into so many parts of about equally
  /// many candidates.
  fileprivate func partsOfPlaces(_ parts: Int) -> [Int] {
    var counts = [Int](repeating: 0, count: 256)
    for candidate in self { counts[Int(candidate.place)] += 1 }
    var before = 0
    return counts.map { inPlace in
      defer { before += inPlace }
      return before * parts / Swift.max(count, 1)
    }
  }

  /// The buffer, which is not empty, in parts of at most `size`.
  fileprivate func pieces(of size: Int) -> [Self] {
    let size = Swift.min(size, count)
    return stride(from: 0, to: count, by: size).map {
      Self(rebasing: self[$0..<Swift.min($0 + size, count)])
    }
  }
}
