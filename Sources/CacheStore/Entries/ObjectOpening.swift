internal import CacheModel
internal import Glibc

extension Directory {
  /// Opens an object below the cache's root for reading, if it is a regular file.
  ///
  /// Nothing else is opened: a FIFO's writer would wake up, a device might do something. A link in the
  /// place of a directory can send the look before astray, and is then refused by the opening.
  func openObject(_ name: EntryName) throws(Errno) -> OpenFile {
    let opened = name.withObjectPath { path in
      Result { () throws(Errno) in
        guard try status(of: path).kind == .regular else { throw .notAFile }
        return try open(spelt: path, O_RDONLY | O_NONBLOCK)
      }
    }
    return try opened.get()
  }
}

extension EntryName {
  /// What ``Layout/object(_:)`` gives, as a C string and without allocating.
  @inline(__always)
  func withObjectPath<Result: ~Copyable>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let prefix: StaticString = "objects/"
    let (start, shard) = (prefix.utf8CodeUnitCount, 3)
    return withUnsafeTemporaryAllocation(byteCount: start + shard + 65, alignment: 8) { path in
      path.copyMemory(from: UnsafeRawBufferPointer(start: prefix.utf8Start, count: start))
      spell(into: UnsafeMutableRawBufferPointer(rebasing: path[(start + shard)...]))
      path[start] = path[start + shard]
      path[start + 1] = path[start + shard + 1]
      path[start + 2] = UInt8(ascii: "/")
      let text = path.assumingMemoryBound(to: CChar.self)
      return text.baseAddress.map { body($0) } ?? body("")
    }
  }
}
