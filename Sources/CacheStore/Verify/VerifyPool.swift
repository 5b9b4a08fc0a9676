internal import CacheModel
internal import Synchronization

/// What the threads of a run share: which slice is loaded next, which are being checked, how many
/// threads are at work, and the order in which findings go out.
struct VerifyPool {
  /// Bytes of manifests that may be on their way into memory at once: a record takes some 240 bytes
  /// there, and half as many here.
  private static let mostLoadingBytes: Int64 = 12 << 20
  /// The same for slices that are loaded and not finished.
  private static let mostHeldBytes: Int64 = 24 << 20
  private static let mostHeld = 24
  /// Findings that may wait for those of an earlier slice.
  private static let mostWaitingFindings = 20_000

  private let orders: [SliceOrder]
  private let weigh: (SliceOrder) -> Int64
  private var nextOrder = 0
  private var open: [VerifySlice] = []
  private var loadingCount = 0
  private var loadingBytes: Int64 = 0
  private var held: [Int: Int64] = [:]
  private var heldBytes: Int64 = 0
  private var finished: [Int: SliceResult] = [:]
  private var nextFinished = 0
  private var waitingFindings = 0
  /// Threads that may be at work.
  private(set) var threads: Int
  private let fewThreads: Int
  private let mostThreads: Int
  var isStopped = false

  init(
    _ orders: [SliceOrder], threads: Int, mostThreads: Int,
    weigh: @escaping (SliceOrder) -> Int64
  ) {
    self.orders = orders
    self.weigh = weigh
    self.threads = threads
    fewThreads = threads
    self.mostThreads = mostThreads
  }

  /// What a thread is to do next.
  enum Task {
    case load(SliceOrder)
    case check(VerifySlice)
    case end
  }

  /// The next task of a thread; nil where it has to wait for others.
  mutating func nextTask(for thread: Int) -> Task? {
    let isAllLoaded = nextOrder == orders.count || isStopped
    if isAllLoaded, loadingCount == 0, open.allSatisfy(\.isHandedOut) { return .end }
    guard thread < threads else { return nil }
    if !isAllLoaded, open.count(where: { !$0.isHandedOut }) < readyWanted, let order = takeOrder() {
      return .load(order)
    }
    open.removeAll(where: \.isHandedOut)
    return open.first.map { .check($0) }
  }

  /// Slices to have ready before their turn comes: reading the next shard's manifests must not keep
  /// the others waiting, the less so the more there are.
  private var readyWanted: Int { max(2, threads / 4) }

  private mutating func takeOrder() -> SliceOrder? {
    let order = orders[nextOrder]
    let weight = weigh(order)
    let hasRoom =
      loadingBytes + weight <= Self.mostLoadingBytes && heldBytes + weight <= Self.mostHeldBytes
      && held.count < Self.mostHeld && waitingFindings < Self.mostWaitingFindings
    guard hasRoom || held.isEmpty else { return nil }
    nextOrder += 1
    loadingCount += 1
    loadingBytes += weight
    held[order.index] = weight
    heldBytes += weight
    return order
  }

  /// A slice has been loaded, or could not be.
  mutating func loaded(_ order: SliceOrder, _ slice: VerifySlice?) {
    loadingCount -= 1
    loadingBytes -= held[order.index] ?? 0
    if let slice, !slice.isHandedOut { open.append(slice) }
  }

  /// Threads waited for the disk: let more of them ask it at once.
  mutating func deepen() { threads = mostThreads }

  /// Nothing is waited for any more.
  mutating func flatten() { threads = fewThreads }

  /// A slice is done. Returns the results whose turn it is now.
  mutating func finish(_ order: SliceOrder, _ result: SliceResult) -> [SliceResult] {
    heldBytes -= held.removeValue(forKey: order.index) ?? 0
    finished[order.index] = result
    waitingFindings += result.findings.count
    var due: [SliceResult] = []
    while let next = finished.removeValue(forKey: nextFinished) {
      due.append(next)
      waitingFindings -= next.findings.count
      nextFinished += 1
    }
    return due
  }
}
