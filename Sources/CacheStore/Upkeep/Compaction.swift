public import CacheModel
internal import Glibc
internal import Synchronization

/// What rewriting manifests came to.
public struct CompactionResult: Sendable, Equatable {
  /// Lines before and after.
  public var linesBefore = 0
  /// Lines that were kept.
  public var linesAfter = 0
  /// Bytes of the manifests before.
  public var bytesBefore: Int64 = 0
  /// Bytes of the manifests after.
  public var bytesAfter: Int64 = 0
  /// Lines that could not be read and are gone.
  public var damagedLines = 0

  /// Nothing yet.
  public init() {}

  /// Adds another part's result.
  public mutating func merge(_ other: CompactionResult) {
    linesBefore += other.linesBefore
    linesAfter += other.linesAfter
    bytesBefore += other.bytesBefore
    bytesAfter += other.bytesAfter
    damagedLines += other.damagedLines
  }
}

extension Store {
  /// Rewrites the manifests of a shard without their dead lines.
  ///
  /// Each is written beside the old one, synced and renamed over it, with the shard's lock held.
  ///
  /// - Parameters:
  ///   - shard: which one.
  ///   - looking: whether the last uses that the objects' times tell go into the records, so that the
  ///     next gc looks at fewer. Otherwise objects are looked at only where the witness is not right.
  /// - Returns: what it came to.
  /// - Throws: ``StoreError``; the old manifest then stands.
  public func compact(
    _ shard: Shard, learningUses looking: Bool = true
  ) throws(StoreError) -> CompactionResult {
    var compaction = ShardCompaction(learningUses: looking)
    return try compact(shard, &compaction)
  }

  private func compact(
    _ shard: Shard, _ compaction: inout ShardCompaction
  ) throws(StoreError) -> CompactionResult {
    var locked = try LockedShard(shard, of: self)
    try locked.compact(&compaction)
    try locked.finish()
    return compaction.result
  }

  /// Rewrites the manifests of several shards, on twice as many threads as there are processors, since
  /// each waits for the disk, until `shouldStop`.
  ///
  /// - Parameters:
  ///   - shards: which ones.
  ///   - looking: as in ``compact(_:learningUses:)``.
  ///   - shouldStop: asked before each shard.
  ///   - progress: told of each shard, from several threads.
  /// - Returns: what it came to, and why shards could not be rewritten.
  public func compact(
    _ shards: [Shard], learningUses looking: Bool, unless shouldStop: @Sendable () -> Bool,
    progress: @Sendable (CompactionResult) -> Void = { _ in }
  ) -> (result: CompactionResult, errors: [StoreError]) {
    let queue = WorkQueue(shards.count)
    let whole = Mutex((result: CompactionResult(), errors: [StoreError]()))
    withoutActuallyEscaping(shouldStop) { shouldStop in
      withoutActuallyEscaping(progress) { progress in
        onThreads(min(2 * processorCount, shards.count)) { [self] _ in
          var compaction = ShardCompaction(learningUses: looking)
          while !shouldStop(), let index = queue.take() {
            do throws(StoreError) {
              let result = try compact(shards[index], &compaction)
              whole.withLock { $0.result.merge(result) }
              progress(result)
            } catch {
              let error = error
              whole.withLock { $0.errors.append(error) }
            }
          }
        }
      }
    }
    return whole.withLock { $0 }
  }
}

extension LockedShard {
  /// Rewrites the shard's manifests, as a part of a change.
  mutating func compact(_ compaction: inout ShardCompaction) throws(StoreError) {
    do throws(Errno) {
      // Both are on their way to the disk before either is waited for.
      let cost = try compaction.draftCost(&self)
      let origin = try compaction.draftOrigin(self)
      try cost.synchronize()
      try origin.synchronize()
      if var cost { try replaceCost(by: &cost) }
      if var origin { try origin.rename(to: Layout.originFile, in: manifests()) }
    } catch { throw StoreError("rewrite", Layout.manifests(shard), .system(error)) }
  }
}

extension Optional where Wrapped == TemporaryFile {
  fileprivate func synchronize() throws(Errno) {
    switch self {
    case nil: break
    case .some(let new): try new.file.synchronize()
    }
  }
}
