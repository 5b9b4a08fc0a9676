// A small image proxy: answers GET /URL with the image of that URL, out of the cache where it can.
//
//   cachectl init /tmp/images && swift run ImageProxy /tmp/images 8080 127.0.0.1
//   curl -i http://127.0.0.1:8080/https://img.example/a.jpg
//
// ROOT is the cache, PORT where to listen on the loopback (0: anywhere free). Origins on private networks are
// asked only where they are named behind it.

import CacheFetch
import CachePlan
import CacheStore
import Glibc
import ImageCache

signal(SIGPIPE, SIG_IGN)
let words = CommandLine.arguments
guard words.count >= 3, let port = UInt16(words[2]) else {
  print("usage: ImageProxy ROOT PORT [NETWORK]...")
  exit(2)
}
var settings = FetchSettings(userAgent: "image-proxy-example/1")
settings.addresses.allowed = words.dropFirst(3).compactMap(HTTPNetwork.init)
let cache = ImageCache(
  try Store(at: words[1]), settings, memory: MemoryLimits(cost: .megabytes(32)))
let server = try Server(port: port)
print("listening on port \(server.port)")
fflush(nil)

// Each connection is a task: a hundred that want one image share one request. The main thread only accepts.
while let connection = server.accept() {
  Task.detached { [cache] in await serve(connection, from: cache) }
}

nonisolated func serve(_ connection: Connection, from cache: ImageCache) async {
  guard let target = await connection.request() else { return }
  do throws(ImageFailure) {
    let image = try await cache.image(for: String(target.dropFirst()))
    connection.answer("200 OK", image.freshness.type ?? "application/octet-stream", image.bytes)
  } catch {
    let status = error == .gone ? "404 Not Found" : "502 Bad Gateway"
    connection.answer(status, "text/plain", Array("\(error)\n".utf8))
  }
}
