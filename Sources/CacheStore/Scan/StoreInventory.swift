public import CacheModel
internal import Synchronization

extension Store: Inventory {
  /// One batch a shard.
  public var partCount: Int { Shard.all.count }

  /// Counts every entry, a shard at a time, on as many threads as there are processors.
  ///
  /// Takes no lock and moves no time. Shards whose witness holds are known from their records alone;
  /// the others are listed (cachectl-layout(5), "The witness").
  ///
  /// - Throws: ``StoreError`` where the file system cannot be asked for its state.
  public func scan(
    _ request: ScanRequest, _ take: @Sendable (ArraySlice<Candidate>, Census) -> Void
  ) throws(StoreError) -> Census {
    let room = try fileSystem()
    let history = EvictionHistory(of: self)
    let whole = Mutex(Census())
    let queue = WorkQueue(Shard.all.count)
    withoutActuallyEscaping(take) { take in
      onThreads(processorCount) { [self] _ in
        var scanner = ShardScanner(self, request, room: room, history: history)
        while let index = queue.take() {
          scanner.scan(Shard.all[index])
          whole.withLock { $0.merge(scanner.census) }
          take(scanner.batch[...], scanner.census)
        }
      }
    }
    return whole.withLock { $0 }
  }

  /// Looks at objects on many threads: a disk answers sooner when it is asked much at once.
  public func look(at candidates: UnsafeMutableBufferPointer<Candidate>, _ request: ScanRequest) {
    let runs = candidates.sortedRuns()
    let work = LookWork(candidates: candidates, runs: runs, queue: WorkQueue(runs.count))
    onThreads(candidates.count < 256 ? 1 : 16) { [self] _ in
      while let index = work.queue.take() {
        look(at: work.candidates, work.runs[index], request)
      }
    }
  }

  private func look(
    at candidates: UnsafeMutableBufferPointer<Candidate>, _ run: Range<Int>, _ request: ScanRequest
  ) {
    let shard = candidates[run.lowerBound].name.shard
    let look: ObjectLook
    do { look = try ObjectLook(shard, of: self, now: request.now) } catch {
      let finding: ObjectLook.Finding = error == .notFound ? .gone : .unreadable(error)
      for index in run { candidates[index].take(finding) }
      return
    }
    for index in run {
      candidates[index].take(look.look(at: &candidates[index]))
      request.classify(&candidates[index])
    }
  }
}

extension Candidate {
  /// Notes what looking at the object came to.
  ///
  /// One that cannot be looked at keeps the place that its record gives it: the removal then fails
  /// and says why, and the next in order takes its place.
  fileprivate mutating func take(_ finding: ObjectLook.Finding) {
    switch finding {
    case .object: break
    case .gone, .foreign: traits.insert(.gone)
    case .unreadable: traits.insert(.exact)
    }
  }
}

/// Each run is one thread's alone.
private struct LookWork: @unchecked Sendable {
  let candidates: UnsafeMutableBufferPointer<Candidate>
  let runs: [Range<Int>]
  let queue: WorkQueue
}

extension UnsafeMutableBufferPointer<Candidate> {
  /// Sorts by name and returns the ranges of each shard.
  func sortedRuns() -> [Range<Int>] {
    var sorted = self
    sorted.sort { $0.name < $1.name }
    return UnsafeBufferPointer(self).shardRuns()
  }
}

extension UnsafeBufferPointer<Candidate> {
  /// The ranges of each shard, where names are in order.
  func shardRuns() -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = 0
    for index in indices where index > 0 && self[index].name.shard != self[start].name.shard {
      runs.append(start..<index)
      start = index
    }
    if start < count { runs.append(start..<count) }
    return runs
  }
}
