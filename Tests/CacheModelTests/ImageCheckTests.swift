import CacheModel
import Testing

/// The smallest images that browsers show, a pixel or little more each.
enum TinyImage {
  static let gif: [UInt8] =
    Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    + [0x21, 0xF9, 4, 1, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]

  static let png: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    + chunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]) + chunk("IDAT", [1, 2, 3])
    + chunk("IEND", [])

  /// Two scans, a restart marker, a stuffed byte, fill bytes, and a thumbnail with an end of its own.
  static let jpeg: [UInt8] =
    [0xFF, 0xD8] + segment(0xE1, [0xFF, 0xD8, 0xFF, 0xD9]) + [0xFF] + segment(0xDB, [1, 2, 3])
    + segment(0xDA, [1, 1, 0, 0, 63, 0]) + [5, 0xFF, 0, 0xFF, 0xD0, 7]
    + segment(0xC4, [9]) + segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0xFF, 0, 0xFF, 0xD9]

  static let webp: [UInt8] =
    Array("RIFF".utf8) + [16, 0, 0, 0] + Array("WEBPVP8L".utf8) + [4, 0, 0, 0, 1, 2, 3, 4]

  static let avif: [UInt8] =
    [0, 0, 0, 20] + Array("ftypavif\0\0\0\0avif".utf8) + [0, 0, 0, 12] + Array("meta".utf8)
    + [0, 0, 0, 0] + [0, 0, 0, 1] + Array("mdat".utf8) + [0, 0, 0, 0, 0, 0, 0, 20, 1, 2, 3, 4]

  static let svg = Array("<?xml version='1.0'?>\n<svg xmlns='x'><path d='M0 0'/></svg>\n".utf8)

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    [0, 0, 0, UInt8(data.count)] + Array(type.utf8) + data + [0xAA, 0xBB, 0xCC, 0xDD]
  }

  private static func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
    [0xFF, marker, 0, UInt8(data.count + 2)] + data
  }
}

@Suite("Images that stream by")
struct ImageCheckTests {
  private func verdict(_ bytes: some Collection<UInt8>, piece: Int) -> ImageCheck.Verdict {
    var check = ImageCheck()
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      Array(rest.prefix(piece)).withUnsafeBytes { check.take($0) }
      rest = rest.dropFirst(piece)
    }
    return check.verdict()
  }

  static let images: [(ImageKind, [UInt8])] = [
    (.gif, TinyImage.gif), (.png, TinyImage.png), (.jpeg, TinyImage.jpeg),
    (.webp, TinyImage.webp), (.avif, TinyImage.avif), (.svg, TinyImage.svg),
  ]

  @Test("a whole image is whole, in whatever pieces it comes", arguments: images)
  func whole(_ kind: ImageKind, _ bytes: [UInt8]) {
    for piece in [1, 2, 3, 7, 64, 100_000] {
      #expect(verdict(bytes, piece: piece) == .image(kind, .whole), "\(piece)")
    }
  }

  @Test("an image without its last byte is cut off", arguments: images.filter { $0.0 != .svg })
  func cut(_ kind: ImageKind, _ bytes: [UInt8]) {
    for piece in [1, 5, 100_000] {
      #expect(verdict(bytes.dropLast(), piece: piece) == .image(kind, .cutOff))
    }
  }

  @Test("no beginning of an image counts as whole", arguments: images)
  func beginnings(_ kind: ImageKind, _ bytes: [UInt8]) {
    for count in 0..<bytes.count - (kind == .svg ? 2 : 0) {
      let verdict = verdict(bytes.prefix(count), piece: 1000)
      // Between two boxes an ISO file may end: nothing in it says how many there are.
      if kind == .avif, count == 32 { continue }
      #expect(verdict != .image(kind, .whole), "\(count)")
    }
  }

  @Test(
    "bytes after the end do not matter: cameras append them",
    arguments: [ImageKind.jpeg, .png, .gif])
  func trailing(_ kind: ImageKind) throws {
    let bytes = try #require(Self.images.first { $0.0 == kind }).1
    #expect(verdict(bytes + [0, 1, 2, 0xFF, 0xD9, 0], piece: 4) == .image(kind, .whole))
  }

  @Test("nothing is empty, an error page is no image, and both are known early")
  func others() {
    #expect(verdict([], piece: 1) == .empty)
    #expect(verdict(Array("<html>oops</html>".utf8), piece: 3) == .notAnImage)
    var check = ImageCheck()
    let page = Array(String(repeating: "<p>oops</p>", count: 400).utf8)
    page.withUnsafeBytes { check.take($0) }
    #expect(check.isHopeless && check.kind == nil)
    #expect(check.bytes == 4400)
  }

  @Test("an image as large as a film is walked without holding it")
  func large() {
    var check = ImageCheck()
    TinyImage.jpeg.dropLast(2).withUnsafeBytes { check.take($0) }
    let coded = [UInt8](repeating: 0x55, count: 1 << 20)
    for _ in 0..<16 { coded.withUnsafeBytes { check.take($0) } }
    #expect(check.verdict() == .image(.jpeg, .cutOff))
    [0xFF as UInt8, 0xD9].withUnsafeBytes { check.take($0) }
    #expect(check.verdict() == .image(.jpeg, .whole))
    #expect(check.kind == .jpeg)
  }
}
