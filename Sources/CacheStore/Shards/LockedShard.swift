internal import CacheModel
internal import Glibc

/// One shard with its lock held: the only way to change what it holds.
///
/// The lock is the kernel's, for this open file: it goes when the process does. It is held for one
/// store or one batch of removals.
struct LockedShard: ~Copyable {
  /// What the witness said when the lock was taken.
  enum Trust: Equatable {
    /// The records are exactly what the directory holds.
    case right
    /// Somebody changed the directory or the manifest without these rules.
    case changed
    /// A writer died in the middle of a change.
    case cleared
  }

  let store: Store
  let shard: Shard
  let objects: Directory
  let manifests: Directory
  private let lock: OpenFile
  private(set) var cost: ManifestFile
  private(set) var trust: Trust
  /// Whether the change under way left the manifests behind the directory.
  private var isBehind = false

  /// Waits for the lock and reads the witness.
  init(_ shard: Shard, of store: Store) throws(Errno) {
    let manifests = try store.root.directory(Layout.manifests(shard))
    let objects = try store.root.directory(Layout.objects(shard))
    let lock = try Self.lock(in: manifests, of: store)
    let cost = try ManifestFile(Layout.costFile, in: manifests, of: store)
    let now = Witness(
      directoryModified: try objects.status().modifiedNanoseconds, manifestLength: cost.length)
    let witness = try Witness(in: lock)
    let trust: Trust = witness == now ? .right : witness == .cleared ? .cleared : .changed
    self.init(
      store: store, shard: shard, objects: objects, manifests: manifests, lock: lock, cost: cost,
      trust: trust)
  }

  private init(
    store: Store, shard: Shard, objects: consuming Directory, manifests: consuming Directory,
    lock: consuming OpenFile, cost: consuming ManifestFile, trust: Trust
  ) {
    self.store = store
    self.shard = shard
    self.objects = objects
    self.manifests = manifests
    self.lock = lock
    self.cost = cost
    self.trust = trust
  }

  private static func lock(
    in manifests: borrowing Directory, of store: Store
  ) throws(Errno) -> OpenFile {
    while true {
      let file = try manifests.openOrMake(Layout.lockFile, O_RDWR, ownership: store.ownership)
      try file.lock()
      // Locked, but perhaps removed and made anew by somebody meanwhile: then it locks nothing.
      if try file.status().links > 0 { return file }
    }
  }

  /// Says that a change is under way, so that a crash in its middle shows.
  func begin() throws(Errno) {
    if trust == .right { try Witness.cleared.write(to: lock) }
  }

  /// Appends to cost.jsonl.
  mutating func appendCost(_ lines: LineWriter) throws(Errno) {
    // A right witness was set behind a whole line.
    try cost.append(lines.bytes, endsInNewline: trust == .right)
  }

  /// Appends to etag.jsonl.
  mutating func appendOrigin(_ lines: LineWriter) throws(Errno) {
    var origin = try ManifestFile(Layout.originFile, in: manifests, of: store)
    try origin.append(lines.bytes)
    if store.configuration.isDurable { try origin.file.synchronize() }
  }

  /// Notes that a removal could not be recorded: the next listing will see the object missing.
  mutating func fallBehind() { isBehind = true }

  /// Notes what a listing found: that the records are what the directory holds, or are not.
  mutating func settle(_ isSettled: Bool) { trust = isSettled ? .right : .changed }

  /// Ends the change: where the records are what the directory holds, the witness says so again.
  func finish() throws(Errno) {
    guard trust == .right, !isBehind else { return }
    let now = Witness(
      directoryModified: try objects.status().modifiedNanoseconds, manifestLength: cost.length)
    try now.write(to: lock)
  }

  /// Puts a file from tmp/ in the place of cost.jsonl.
  mutating func replaceCost(by new: inout TemporaryFile) throws(Errno) {
    try new.rename(to: Layout.costFile, in: manifests)
    cost = try ManifestFile(Layout.costFile, in: manifests, of: store)
  }
}
