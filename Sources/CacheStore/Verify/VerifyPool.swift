internal import CacheModel

/// What the threads of a run share: which slice is loaded next, and which are being checked.
struct VerifyPool {
  /// Bytes of manifests that may be on their way into memory at once: a record takes some 240 bytes
  /// there, and half as many here.
  private static let mostLoadingBytes: Int64 = 12 << 20
  /// The same for slices that are loaded and not finished.
  private static let mostHeldBytes: Int64 = 24 << 20
  private static let mostHeld = 24

  private let orders: [SliceOrder]
  private let weigh: (SliceOrder) -> Int64
  private let deadline: ContinuousClock.Instant?
  private var nextOrder = 0
  private var open: [VerifySlice] = []
  private var unfinished: [Int: VerifySlice] = [:]
  private var loadingCount = 0
  private var loadingBytes: Int64 = 0
  private var held: [Int: Int64] = [:]
  private var heldBytes: Int64 = 0
  /// Whether the run was told to end.
  var isStopped = false

  init(
    _ orders: [SliceOrder], deadline: ContinuousClock.Instant?,
    weigh: @escaping (SliceOrder) -> Int64
  ) {
    self.orders = orders
    self.weigh = weigh
    self.deadline = deadline
  }

  /// What a thread is to do next.
  enum Task {
    case load(SliceOrder)
    case check(VerifySlice)
    case end
  }

  /// Whether every order was carried out.
  var isDone: Bool { nextOrder == orders.count && held.isEmpty }

  /// The next task of a thread; nil where it has to wait for others.
  mutating func nextTask(for thread: Int, of depth: Depth) -> Task? {
    if isStopped { return .end }
    open.removeAll(where: \.isHandedOut)
    let isLate = deadline.map { ContinuousClock.now >= $0 } ?? false
    // What has been begun is finished even when time is up: else a short time would never do.
    if isLate { open.removeAll { !$0.isBegun } }
    let isAllLoaded = nextOrder == orders.count || isLate
    if isAllLoaded, loadingCount == 0, open.isEmpty { return .end }
    guard depth.wants(thread) else { return nil }
    if !isAllLoaded, open.count < depth.slicesWanted, let order = takeOrder() {
      return .load(order)
    }
    return open.first.map { .check($0) }
  }

  private mutating func takeOrder() -> SliceOrder? {
    let order = orders[nextOrder]
    let weight = weigh(order)
    let hasRoom =
      loadingBytes + weight <= Self.mostLoadingBytes && heldBytes + weight <= Self.mostHeldBytes
      && held.count < Self.mostHeld
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
    unfinished[order.index] = slice
    if let slice, !slice.isHandedOut { open.append(slice) }
  }

  /// A slice is done.
  mutating func finish(_ order: SliceOrder) {
    heldBytes -= held.removeValue(forKey: order.index) ?? 0
    unfinished[order.index] = nil
  }

  /// The slices that a stop left unfinished, in order.
  mutating func takeUnfinished() -> [VerifySlice] {
    let slices = unfinished.sorted { $0.key < $1.key }.map(\.value)
    unfinished = [:]
    return slices
  }
}
