// Makes thumbnails of pictures (PPM, binary), and makes none twice: they are values of its own in the cache.
//
//   swift run Thumbnailer ROOT WIDTH FILE.ppm...
//
// It prints for each file whether the thumbnail was made or found. A file that changed has another key.

import CacheFetch
import CacheStore
import Glibc
import ImageCache

let words = CommandLine.arguments
guard words.count >= 4, let width = Int64(words[2]), width > 0 else {
  print("usage: Thumbnailer ROOT WIDTH FILE.ppm...")
  exit(2)
}
let cache = ImageCache(try Store(at: words[1]), FetchSettings(userAgent: "thumbnailer-example/1"))

for path in words.dropFirst(3) {
  guard let source = PictureFile(path) else {
    print("\(path): cannot be read")
    continue
  }
  let key = Thumbnail.key(path, version: source.version, width: width)
  if let found = try cache.find(Thumbnail.self, for: key) {
    print("\(path): found, \(found.picture.width)×\(found.picture.height)")
  } else if let picture = source.picture() {
    let made = Thumbnail(cacheKey: key, source: path, picture: picture.shrunk(to: Int(width)))
    try cache.store(made)
    print("\(path): made, \(made.picture.width)×\(made.picture.height)")
  } else {
    print("\(path): is no binary PPM of 8 bits")
  }
}

/// A small picture of a large one.
struct Thumbnail: Persistable {
  var cacheKey: String
  /// The file it was made of.
  var source: String
  var picture: Picture

  static func key(_ path: String, version: String, width: Int64) -> String {
    "thumbnail:\(width):\(version):\(path)"
  }

  init(cacheKey: String, source: String, picture: Picture) {
    (self.cacheKey, self.source, self.picture) = (cacheKey, source, picture)
  }

  var stored: StoredValue {
    StoredValue(
      picture.ppm, type: "image/x-portable-pixmap",
      // What it costs to make again: the time is that of reading the source, not of storing the result.
      cost: Int64(picture.pixels.count),
      members: [.init("thumbnail_source", source), .init("thumbnail_key", cacheKey)])
  }

  init?(_ stored: StoredValue) {
    guard let source = stored.members["thumbnail_source"]?.text,
      let key = stored.members["thumbnail_key"]?.text, let picture = Picture(ppm: stored.bytes)
    else { return nil }
    self.init(cacheKey: key, source: source, picture: picture)
  }
}
