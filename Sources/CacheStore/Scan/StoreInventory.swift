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
    let work = CandidateRuns(ofShards: candidates)
    let inodes = (try? fileSystem())?.totalInodes ?? 0
    onThreads(candidates.count < 256 ? 1 : 16) { [self] _ in
      while !request.shouldStop(), let run = work.take() {
        look(atOneShards: run, request, inodes)
      }
    }
  }

  private func look(
    atOneShards run: UnsafeMutableBufferPointer<Candidate>, _ request: ScanRequest,
    _ inodes: Int64
  ) {
    let look: ObjectLook
    do {
      look = try ObjectLook(run[0].name.shard, of: self, now: request.now, inodes: inodes)
    } catch {
      let finding: ObjectLook.Finding = error == .notFound ? .gone : .unreadable(error)
      for index in run.indices { run[index].take(finding) }
      return
    }
    for index in run.indices where !request.shouldStop() {
      run[index].take(look.look(at: &run[index]))
      request.classify(&run[index])
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
