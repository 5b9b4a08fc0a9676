/// A kind of image, told by its first bytes: what an origin declares is no proof.
public enum ImageKind: String, Sendable, Hashable, CaseIterable {
  /// JPEG (ITU-T T.81).
  case jpeg
  /// PNG and animated PNG (RFC 2083).
  case png
  /// GIF, 87a and 89a.
  case gif
  /// WebP (RFC 9649).
  case webp
  /// AVIF, still and moving.
  case avif
  /// HEIC and other HEIF.
  case heic
  /// SVG, not compressed.
  case svg
  /// Windows bitmap.
  case bmp
  /// Windows icon.
  case ico
  /// TIFF and BigTIFF.
  case tiff
  /// JPEG XL, bare or in boxes.
  case jxl
  /// JPEG 2000 in boxes.
  case jp2

  /// Bytes of a file that are enough to tell: an SVG may begin with comments and a document type.
  public static let firstBytes = 4096

  /// Tells the kind; nil where it is none of them: HTML, JSON, text, nothing.
  public init?(firstBytes bytes: UnsafeRawBufferPointer) {
    guard let kind = ImageKind.binary(bytes) ?? (SVGProlog.leadsToSVG(bytes) ? .svg : nil) else {
      return nil
    }
    self = kind
  }

  /// The registered media type.
  public var mimeType: String {
    switch self {
    case .svg: "image/svg+xml"
    case .ico: "image/vnd.microsoft.icon"
    default: "image/" + rawValue
    }
  }

  /// The kind that a media type in lower case, without parameters, means; the usual misnomers too.
  public init?(mimeType: String) {
    let known = ImageKind.allCases.first { $0.mimeType == mimeType }
    guard let kind = known ?? ImageKind.misnomers[mimeType] else { return nil }
    self = kind
  }

  private static let misnomers: [String: ImageKind] = [
    "image/jpg": .jpeg, "image/pjpeg": .jpeg, "image/apng": .png, "image/x-png": .png,
    "image/x-icon": .ico, "image/ico": .ico, "image/x-ms-bmp": .bmp, "image/x-bmp": .bmp,
    "image/heif": .heic, "image/tif": .tiff, "image/jpx": .jp2,
  ]

  private static func binary(_ bytes: UnsafeRawBufferPointer) -> ImageKind? {
    func has(_ magic: [UInt8], at offset: Int = 0) -> Bool {
      bytes.count >= offset + magic.count && bytes[offset...].starts(with: magic)
    }
    if has([0xFF, 0xD8, 0xFF]) { return .jpeg }
    if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if has(Array("GIF87a".utf8)) || has(Array("GIF89a".utf8)) { return .gif }
    if has(Array("RIFF".utf8)), has(Array("WEBP".utf8), at: 8) { return .webp }
    if has(Array("ftyp".utf8), at: 4) { return brand(bytes) }
    if has(Array("BM".utf8)), bytes.count >= 18, isBitmapHeader(bytes[14]) { return .bmp }
    if has([0, 0, 1, 0]), bytes.count >= 6, bytes[4] > 0, bytes[5] == 0 { return .ico }
    if has([0x49, 0x49, 0x2A, 0]) || has([0x4D, 0x4D, 0, 0x2A]) { return .tiff }
    if has([0x49, 0x49, 0x2B, 0, 8, 0]) || has([0x4D, 0x4D, 0, 0x2B, 0, 8]) { return .tiff }
    if has([0xFF, 0x0A]) { return .jxl }
    if has([0, 0, 0, 12] + Array("JXL ".utf8) + [13, 10, 0x87, 10]) { return .jxl }
    if has([0, 0, 0, 12] + Array("jP  ".utf8) + [13, 10, 0x87, 10]) { return .jp2 }
    return nil
  }

  /// The sizes that a bitmap's second header has had.
  private static func isBitmapHeader(_ size: UInt8) -> Bool {
    [12, 16, 40, 52, 56, 64, 108, 124].contains(size)
  }

  /// The major brand of an ISO file, or one that it is compatible with.
  private static func brand(_ bytes: UnsafeRawBufferPointer) -> ImageKind? {
    guard bytes.count >= 12 else { return nil }
    let end = min(bytes.count, max(16, Int(bytes[2]) << 8 | Int(bytes[3])))
    var brands: [String] = []
    for start in stride(from: 8, through: end - 4, by: 4) where start != 12 {
      brands.append(String(decoding: bytes[start..<start + 4], as: UTF8.self))
    }
    if brands.contains("avif") || brands.contains("avis") { return .avif }
    let others: Set = ["heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1"]
    return brands.contains(where: others.contains) ? .heic : nil
  }
}
