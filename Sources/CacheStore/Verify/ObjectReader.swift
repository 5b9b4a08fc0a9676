internal import CacheModel
internal import Glibc

/// Reads and hashes objects, one after the other.
///
/// For one thread at a time.
struct ObjectReader: ~Copyable {
  private let buffer: UnsafeMutableRawBufferPointer
  private let hasher = ContentHasher()
  private let rate: ByteRate?
  private let images: ImageInspector?

  init(_ request: VerifyRequest, rate: ByteRate?, decoder: DecoderPool?) {
    buffer = .allocate(byteCount: ContentHasher.chunk, alignment: 4096)
    self.rate = rate
    images = request.images.isAny ? ImageInspector(decoder) : nil
  }

  deinit { buffer.deallocate() }

  /// What tells one content of a name from the next without reading it.
  struct Identity: Equatable {
    let inode: UInt64
    let size: Int64
    let modifiedNanoseconds: Int64

    init(_ status: FileStatus) {
      inode = status.inode
      size = status.size
      modifiedNanoseconds = status.modifiedNanoseconds
    }
  }

  /// What an object turned out to be.
  enum Look {
    /// A file; its hash where it was read.
    case content(Identity, ContentHash?)
    /// Nothing is there.
    case gone
    /// No regular file.
    case foreign(FileStatus.Kind)
    /// Nothing is concluded.
    case unreadable(Errno)
    /// It changed while it was read.
    case changed
  }

  /// Compares an object with its record: it is sound, or a suspect.
  @inline(__always)
  borrowing func check(
    _ item: VerifySlice.Item, in directory: borrowing Directory, _ result: inout SliceResult
  ) {
    if let images { return check(item, in: directory, images, &result) }
    if !holds(item, in: directory) {
      let look = look(at: item.name, in: directory, onlyIfOf: item.bytes)
      guard look.matches(item) else {
        return result.suspects.append(.init(name: item.name, look: look))
      }
      if item.hash == nil { result.tally.unhashed += 1 }
    }
    result.tally.add(soundOf: item.bytes)
  }

  /// The same, with a look at what the bytes are.
  private borrowing func check(
    _ item: VerifySlice.Item, in directory: borrowing Directory, _ images: ImageInspector,
    _ result: inout SliceResult
  ) {
    images.begin()
    let look = look(at: item.name, in: directory, onlyIfOf: item.bytes)
    guard look.matches(item) else {
      return result.suspects.append(.init(name: item.name, look: look))
    }
    if item.hash == nil { result.tally.unhashed += 1 }
    result.tally.add(soundOf: item.bytes)
    guard let finding = images.finding(item, in: directory) else { return }
    result.tally.sound -= 1
    result.note(finding)
  }

  /// Whether an object is what its record says, by three system calls.
  ///
  /// False says nothing yet: what it is, ``look(at:in:onlyIfOf:)`` tells.
  @inline(__always)
  private borrowing func holds(
    _ item: VerifySlice.Item, in directory: borrowing Directory
  ) -> Bool {
    guard let hash = item.hash, item.bytes < buffer.count,
      let file = try? directory.openFile(item.name)
    else { return false }
    rate?.wait(for: Int(item.bytes))
    // A byte more than there should be, so that a longer object shows.
    let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[...Int(item.bytes)])
    guard let got = try? file.read(into: piece, at: 0), got == item.bytes else { return false }
    return hash == ContentHasher.hash(UnsafeRawBufferPointer(rebasing: piece[..<got]))
  }

  /// Reads an object.
  ///
  /// One of another length than `size` is not read: no hash could make it right.
  @inline(__always)
  borrowing func look(
    at name: EntryName, in directory: borrowing Directory, onlyIfOf size: Int64? = nil
  ) -> Look {
    do {
      let file = try directory.openFile(name)
      let status = try file.status()
      guard status.kind == .regular else { return .foreign(status.kind) }
      let identity = Identity(status)
      if let size, size != status.size { return .content(identity, nil) }
      guard let hash = try hash(file, status.size) else { return .changed }
      return .content(identity, hash)
    } catch { return Look(error) }
  }

  /// Hashes `size` bytes; nil where the file ends earlier by now.
  private borrowing func hash(
    _ file: borrowing OpenFile, _ size: Int64
  ) throws(Errno) -> ContentHash? {
    hasher.reset()
    var offset: Int64 = 0
    while offset < size {
      let count = Int(min(Int64(buffer.count), size - offset))
      rate?.wait(for: count)
      let got = try file.read(
        into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: offset)
      if got == 0 { return nil }
      let piece = UnsafeRawBufferPointer(rebasing: buffer[..<got])
      hasher.update(piece)
      images?.take(piece)
      offset += Int64(got)
    }
    return hasher.finish()
  }
}

extension ObjectReader.Look {
  /// Whether it is what the record says.
  fileprivate func matches(_ item: VerifySlice.Item) -> Bool {
    guard case .content(let identity, let hash?) = self else { return false }
    return identity.size == item.bytes && (item.hash == nil || item.hash == hash)
  }

  /// What a failed open or read says.
  fileprivate init(_ error: Errno) {
    switch error {
    case .notFound: self = .gone
    case .symbolicLink: self = .foreign(.link)
    case .noDevice: self = .foreign(.socket)
    default: self = .unreadable(error)
    }
  }
}

extension Directory {
  /// Opens an object, its name spelt out on the stack.
  @inline(__always)
  func openFile(_ name: EntryName) throws(Errno) -> OpenFile {
    let descriptor = name.withCString { name in
      Result { () throws(Errno) in try openFile(name).release() }
    }
    return OpenFile(owning: try descriptor.get())
  }
}
