public import CacheModel
internal import Glibc

extension Store {
  /// Makes a cache at `path`, or completes one whose making was cut short.
  ///
  /// Directories come first and cachectl.json last: until it stands, the directory is no cache.
  ///
  /// - Throws: ``StoreError``: the directory holds something else, is a cache already, or the kernel
  ///   refused. Nothing that was there is changed.
  @discardableResult
  public static func create(
    at path: String, _ configuration: Configuration
  ) throws(StoreError) -> Store {
    try makeParents(of: path, mode: configuration.sharing.directoryMode)
    let root = try StoreError.attempt("open", path) { () throws(Errno) in
      try Directory(path: path)
    }
    try refuseForeign(root, path: path)
    var configuration = configuration
    configuration.identity =
      "\(ContentHash(high: .random(in: .min ... .max), low: .random(in: .min ... .max)))"
    do { try lay(out: root, configuration) } catch {
      throw StoreError("make a cache in", path, .system(error))
    }
    return try Store(at: path)
  }

  /// Makes the directory and the parents that are missing, as `mkdir -p` does.
  private static func makeParents(of path: String, mode: UInt32) throws(StoreError) {
    if mkdir(path, mode) == 0 || errno == EEXIST { return }
    let parent = path.split(separator: "/").dropLast().joined(separator: "/")
    let above = path.utf8.first == 0x2f ? "/" + parent : parent
    guard errno == ENOENT, !above.isEmpty, above != path else {
      throw StoreError("make", path, .system(Errno(errno)))
    }
    try makeParents(of: above, mode: 0o777)
    guard mkdir(path, mode) == 0 || errno == EEXIST else {
      throw StoreError("make", path, .system(Errno(errno)))
    }
  }

  /// A directory with anything but a half-made cache in it is somebody else's.
  private static func refuseForeign(
    _ root: borrowing Directory, path: String
  ) throws(StoreError) {
    let known = Set(Layout.directories + [Layout.tag, "lost+found"])
    var foreign: String?
    let names = try StoreError.attempt("list", path) { () throws(Errno) in
      try root.names()
    }
    for name in names where !known.contains(name) { foreign = foreign ?? name }
    guard let foreign else { return }
    let reason =
      foreign == Layout.configuration
      ? "it is a cache already (cachectl config changes its policy)"
      : "it holds other things (\(foreign)): name an empty or a new directory"
    throw StoreError("make a cache in", path, .unacceptable(reason))
  }

  private static func lay(
    out root: borrowing Directory, _ configuration: Configuration
  ) throws(Errno) {
    let ownership = Ownership(sharing: configuration.sharing, root: try root.status())
    try ownership.settle(root)
    for name in Layout.directories { try root.make(name, ownership) }
    for shard in Shard.all {
      try root.make(Layout.objects(shard), ownership)
      try root.make(Layout.manifests(shard), ownership)
    }
    for shard in Shard.all { try witnessEmpty(shard, in: root, ownership) }
    let names = Temporaries()
    try root.replace(Layout.tag, by: Layout.tagText, names, ownership)
    try root.replace(
      Layout.configuration, by: ConfigurationFile.text(of: configuration), names, ownership)
  }

  /// An empty shard is known to be empty from the start.
  private static func witnessEmpty(
    _ shard: Shard, in root: borrowing Directory, _ ownership: Ownership
  ) throws(Errno) {
    let lock = try root.openOrMake(Layout.lock(shard), O_RDWR, ownership: ownership)
    let objects = try root.directory(Layout.objects(shard))
    guard try objects.names().isEmpty else { return }
    try Witness(directoryModified: objects.status().modifiedNanoseconds, manifestLength: 0)
      .write(to: lock)
  }

  /// Changes the cache's own policy, whole or not at all.
  ///
  /// - Throws: ``StoreError`` when the kernel refuses.
  public func setConfiguration(_ configuration: Configuration) throws(StoreError) {
    try StoreError.attempt("write", Layout.configuration) { () throws(Errno) in
      try root.replace(
        Layout.configuration, by: ConfigurationFile.text(of: configuration), temporaries, ownership)
    }
  }
}

extension Directory {
  /// Every name, as text where it is UTF-8.
  func names() throws(Errno) -> [String] {
    try rawNames().map { String(decoding: $0.dropLast(), as: UTF8.self) }
  }

  /// Every name as it is, with a NUL at its end.
  func rawNames() throws(Errno) -> [[UInt8]] {
    var names: [[UInt8]] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 15)
    try buffer.withMutableBytes { (buffer) throws(Errno) in
      try forEachName(using: buffer) { (name, _) throws(Errno) in names.append(name + [0]) }
    }
    return names
  }

  /// Writes a small file beside the old one and puts it in its place.
  func replace(
    _ name: String, by text: String, _ names: Temporaries, _ ownership: Ownership
  ) throws(Errno) {
    var draft = try TemporaryFile(in: self, names, ownership)
    try draft.file.write(bytes: Array(text.utf8))
    try draft.file.synchronize()
    try draft.rename(to: name, in: self)
  }
}
