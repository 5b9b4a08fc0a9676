internal import CCachectl
internal import CacheFetch
internal import CacheModel
internal import CacheStore
internal import Glibc
internal import ImageCache

// The functions of cachectl.h, which documents them. A test compiles a program in C against both.

/// What a pointer of C stands for.
private final class Handle: Sendable {
  let cache: ImageCache

  init(_ root: String) throws(StoreError) {
    // Nothing is asked of origins here.
    cache = ImageCache(try Store(at: root), FetchSettings(userAgent: "cachectl"))
  }
}

/// `cachectl_open`.
@_cdecl("cachectl_open")
public func open(_ root: UnsafePointer<CChar>?) -> UnsafeMutableRawPointer? {
  attempt(failing: nil) {
    UnsafeMutableRawPointer(Unmanaged.passRetained(try Handle(try text(root, "root"))).toOpaque())
  }
}

/// `cachectl_close`.
@_cdecl("cachectl_close")
public func close(_ cache: UnsafeMutableRawPointer?) {
  if let cache { Unmanaged<Handle>.fromOpaque(cache).release() }
}

/// `cachectl_put`.
@_cdecl("cachectl_put")
public func put(
  _ cache: UnsafeMutableRawPointer?, _ key: UnsafePointer<CChar>?, _ bytes: UnsafeRawPointer?,
  _ size: Int, _ type: UnsafePointer<CChar>?, _ cost: Int64
) -> CInt {
  attempt(failing: -1) {
    guard size >= 0, bytes != nil || size == 0 else { throw Misuse("the image is NULL") }
    var request = StoreRequest(key: try cacheKey(key))
    request.type = try type.map { try text($0, "type") }
    request.cost = cost < 0 ? nil : cost
    try handle(cache).put(UnsafeRawBufferPointer(start: bytes, count: size), request)
    return 0
  }
}

/// `cachectl_get`.
@_cdecl("cachectl_get")
public func get(
  _ cache: UnsafeMutableRawPointer?, _ key: UnsafePointer<CChar>?,
  _ bytes: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ size: UnsafeMutablePointer<Int>?
) -> CInt {
  attempt(failing: -1) {
    guard let bytes, let size else { throw Misuse("there is nowhere to put the image") }
    (bytes.pointee, size.pointee) = (nil, 0)
    guard let object = try handle(cache).object(for: try cacheKey(key)) else { return 0 }
    // One byte where the image has none: NULL would look like a failure.
    guard let room = malloc(max(1, Int(object.byteCount))) else { throw Misuse("out of memory") }
    do {
      let buffer = UnsafeMutableRawBufferPointer(start: room, count: Int(object.byteCount))
      size.pointee = try object.read(into: buffer)
    } catch {
      free(room)
      throw error
    }
    bytes.pointee = room
    return 1
  }
}

/// `cachectl_free`.
@_cdecl("cachectl_free")
public func freeImage(_ bytes: UnsafeMutableRawPointer?) { free(bytes) }

/// `cachectl_touch`.
@_cdecl("cachectl_touch")
public func touch(_ cache: UnsafeMutableRawPointer?, _ key: UnsafePointer<CChar>?) -> CInt {
  attempt(failing: -1) { try handle(cache).touch(try cacheKey(key)) ? 1 : 0 }
}

/// `cachectl_remove`.
@_cdecl("cachectl_remove")
public func remove(_ cache: UnsafeMutableRawPointer?, _ key: UnsafePointer<CChar>?) -> CInt {
  attempt(failing: -1) { try handle(cache).remove(try cacheKey(key)) ? 1 : 0 }
}

/// What a caller did that cannot be done.
private struct Misuse: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Does what was asked; an error becomes the thread's text.
private func attempt<Result>(failing failure: Result, _ body: () throws -> Result) -> Result {
  do { return try body() } catch {
    cachectl_keep_error("\(error)")
    return failure
  }
}

private func handle(_ cache: UnsafeMutableRawPointer?) throws -> ImageCache {
  guard let cache else { throw Misuse("the cache is NULL") }
  return Unmanaged<Handle>.fromOpaque(cache).takeUnretainedValue().cache
}

private func text(_ characters: UnsafePointer<CChar>?, _ name: String) throws -> String {
  guard let characters else { throw Misuse("the \(name) is NULL") }
  guard let text = String(validatingCString: characters) else {
    throw Misuse("the \(name) is not UTF-8")
  }
  return text
}

private func cacheKey(_ key: UnsafePointer<CChar>?) throws -> CacheKey {
  try CacheKey(try text(key, "key"))
}
