internal import CacheModel
internal import Glibc

/// One shard with its lock held: the only way to change what it holds.
///
/// The lock is the kernel's, for this open file: it goes when the process does. It is held for one
/// store or one batch of removals. Errors name the file of the shard that they come from.
struct LockedShard: ~Copyable {
  let store: Store
  let shard: Shard
  let objects: Directory
  private let lock: OpenFile
  private(set) var cost: ManifestFile
  private var origin: ManifestFile?
  /// Whether the records are exactly what the directory holds: so said the witness when the lock
  /// was taken, and nothing spoke against it since.
  ///
  /// Otherwise somebody changed the directory or the manifest without these rules, or a writer died
  /// in the middle of a change.
  private(set) var isWitnessed: Bool
  /// What the witness said when the lock was taken.
  let witness: Witness
  /// Whether the witness is ours to set: it held when the change began, or a listing has settled
  /// what it missed.
  ///
  /// Otherwise it is left alone, so that the difference stays visible until then.
  private var ownsWitness: Bool
  private var isCleared = false
  /// The directory's time as the last look found it.
  private var directoryModified: Int64
  private var looked: ContinuousClock.Instant
  /// Whether the directory was changed here since.
  private var isChanged = false
  /// What was changed here since the lock was taken.
  private var changes = DirectoryChanges()
  /// Where every change to the directory is told.
  private let watch: DirectoryWatch?

  /// Waits for the lock and reads the witness.
  ///
  /// Changes are told from those of others by a watch, always or where it is due; otherwise one that
  /// takes long costs the witness.
  init(
    _ shard: Shard, of store: Store, watched use: DirectoryWatches.Use = .whereDue
  ) throws(StoreError) {
    let objects = try StoreError.attempt("open", Layout.objects(shard)) { () throws(Errno) in
      try store.root.directory(Layout.objects(shard), orMake: store.ownership)
    }
    let lock = try StoreError.attempt("lock", Layout.lock(shard)) { () throws(Errno) in
      try Self.lock(shard, of: store)
    }
    let cost = try StoreError.attempt("open", Layout.cost(shard)) { () throws(Errno) in
      try ManifestFile(Layout.cost(shard), in: store.root)
    }
    let witness = try StoreError.attempt("read", Layout.lock(shard)) { () throws(Errno) in
      try Witness(in: lock)
    }
    let watch = store.watches.take(use, beginningWith: objects)
    let looked = ContinuousClock.now
    let now = Witness(
      directoryModified: (try? objects.status())?.modifiedNanoseconds ?? 0,
      manifestLength: cost.length)
    self.init(
      store: store, shard: shard, objects: objects, lock: lock, cost: cost, witness: witness,
      isWitnessed: witness == now && witness != .cleared,
      directoryModified: now.directoryModified, looked: looked, watch: watch)
  }

  private init(
    store: Store, shard: Shard, objects: consuming Directory, lock: consuming OpenFile,
    cost: consuming ManifestFile, witness: Witness, isWitnessed: Bool, directoryModified: Int64,
    looked: ContinuousClock.Instant,
    watch: DirectoryWatch?
  ) {
    self.store = store
    self.shard = shard
    self.objects = objects
    self.lock = lock
    self.cost = cost
    self.witness = witness
    self.isWitnessed = isWitnessed
    ownsWitness = isWitnessed
    self.directoryModified = directoryModified
    self.looked = looked
    self.watch = watch
  }

  deinit { if let watch { store.watches.giveBack(watch) } }

  private static func lock(_ shard: Shard, of store: Store) throws(Errno) -> OpenFile {
    while true {
      let file = try openLock(shard, of: store)
      try file.lockWhereLocksAre()
      let status = try file.status()
      guard status.kind == .regular else { throw .notAFile }
      // Locked, but perhaps removed and made anew by somebody meanwhile: then it locks nothing.
      if status.links > 0 { return file }
    }
  }

  private static func openLock(_ shard: Shard, of store: Store) throws(Errno) -> OpenFile {
    let path = Layout.lock(shard)
    if let file = try store.root.openExisting(path, O_RDWR) { return file }
    try store.root.make(Layout.manifests(shard), store.ownership)
    return try store.root.openOrMake(path, O_RDWR, ownership: store.ownership)
  }
}

extension LockedShard {
  /// Says that a change is under way, so that a crash in its middle shows.
  mutating func begin() throws(StoreError) {
    guard isWitnessed else { return }
    try StoreError.attempt("write", Layout.lock(shard)) { () throws(Errno) in try clearWitness() }
  }

  private mutating func clearWitness() throws(Errno) {
    isCleared = true
    try Witness.cleared.write(to: lock)
  }

  /// Appends to cost.jsonl.
  mutating func appendCost(_ lines: LineWriter) throws(StoreError) {
    // A right witness was set behind a whole line.
    let endsInNewline = isWitnessed
    do throws(Errno) {
      try cost.append(lines.bytes, of: store, endsInNewline: endsInNewline)
      if store.configuration.isDurable { try cost.synchronize() }
    } catch { throw StoreError("append to", Layout.cost(shard), .system(error)) }
  }

  /// Appends to etag.jsonl.
  mutating func appendOrigin(_ lines: LineWriter) throws(StoreError) {
    do throws(Errno) {
      var origin = try openOrigin()
      try origin.append(lines.bytes, of: store)
      if store.configuration.isDurable { try origin.synchronize() }
      self.origin = consume origin
    } catch { throw StoreError("append to", Layout.origin(shard), .system(error)) }
  }

  /// How long may lie between two looks at the directory for its time to tell who changed it.
  ///
  /// Of two changes within the kernel's clock tick, at most a hundredth of a second, the second may
  /// show none.
  private static var tick: Duration { .milliseconds(10) }

  /// How old a look may be before a change that the next one is to tell from others.
  private static var lookInterval: Duration { .milliseconds(2) }

  /// Makes one change to the directory; what somebody else changes around it is noticed by the next
  /// look.
  mutating func change(
    _ kind: DirectoryChanges.Kind, _ body: (borrowing Directory) throws(Errno) -> Void
  ) throws(Errno) {
    guard isWitnessed else { return try body(objects) }
    if watch == nil, ContinuousClock.now - looked > Self.lookInterval { look() }
    isChanged = true
    try body(objects)
    changes.add(kind)
    if changes.count % DirectoryWatch.mostUnread == 0 { watch?.readOn() }
  }

  /// unlink(2) of an object, as a change of the shard.
  mutating func unlink(_ name: EntryName) throws(Errno) {
    try change(.removal) { (objects) throws(Errno) in try objects.unlink(name) }
  }

  /// Looks whether the directory is as the last look found it, or as changes of ours left it since.
  mutating func look() {
    let start = ContinuousClock.now
    let found = (try? objects.status())?.modifiedNanoseconds
    // A directory that cannot be looked at is one that may have changed.
    if found == nil || !isExplained(found) { distrust() }
    directoryModified = found ?? directoryModified
    looked = start
    isChanged = false
  }

  private func isExplained(_ found: Int64?) -> Bool {
    let isInTime = ContinuousClock.now - looked <= Self.tick
    if isChanged, !isInTime { store.watches.noteWait() }
    // Read after the time was taken: what that may tell of has been told here by now.
    if let watch { return watch.saw(only: changes) }
    return isChanged ? isInTime : found == directoryModified
  }

  /// Takes back the lines of a change that came to nothing.
  ///
  /// What cannot be taken back is an interrupted store, which tells itself apart.
  mutating func takeBack() {
    do throws(Errno) {
      if var origin = origin.take() { try origin.takeBack() }
      try cost.takeBack()
    } catch { return }
    // A cleared witness costs a listing and nothing else.
    try? finish()
  }

  /// Notes that the records may not be what the directory holds: a listing will tell.
  mutating func distrust() { isWitnessed = false }

  /// Notes what a listing found: that the records are what the directory holds, or are not.
  mutating func settle(_ isSettled: Bool) {
    isWitnessed = isSettled
    if isSettled { ownsWitness = true }
  }

  /// Ends the change: where the records are what the directory holds, the witness says so again, of
  /// the directory as this change left it and no later.
  mutating func finish() throws(StoreError) {
    if isChanged { look() }
    guard ownsWitness else { return }
    let new =
      isWitnessed
      ? Witness(directoryModified: directoryModified, manifestLength: cost.length)
      : .stale(manifestLength: cost.length)
    guard isCleared || new != witness else { return }
    try StoreError.attempt("write", Layout.lock(shard)) { () throws(Errno) in
      try new.write(to: lock)
    }
  }

  /// Puts a file from tmp/ in the place of cost.jsonl.
  mutating func replaceCost(by new: inout TemporaryFile) throws(Errno) {
    // Lines move: what the witness said of their places is no more.
    try clearWitness()
    try new.rename(to: Layout.costFile, in: manifests())
    cost = try ManifestFile(Layout.cost(shard), in: store.root)
  }

  /// Opens the manifests' directory: no link is followed on the way to what a rename replaces.
  func manifests() throws(Errno) -> Directory { try store.root.directory(Layout.manifests(shard)) }

  /// Opens etag.jsonl, which a change reads or appends to only now and then.
  func openOrigin() throws(Errno) -> ManifestFile {
    try ManifestFile(Layout.origin(shard), in: store.root)
  }
}
