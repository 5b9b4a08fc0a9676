import CacheModel
import Testing

@Suite("Kinds of images")
struct ImageKindTests {
  private func kind(_ bytes: [UInt8]) -> ImageKind? {
    bytes.withUnsafeBytes { ImageKind(firstBytes: $0) }
  }

  private func kind(_ text: String) -> ImageKind? { kind(Array(text.utf8)) }

  @Test("each kind is told by its first bytes")
  func kinds() {
    #expect(kind([0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
    #expect(kind([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) == .png)
    #expect(kind("GIF87a") == .gif)
    #expect(kind("GIF89a") == .gif)
    #expect(kind("RIFF\0\0\0\0WEBPVP8 ") == .webp)
    #expect(kind([0, 0, 0, 28] + Array("ftypavif\0\0\0\0avifmif1".utf8)) == .avif)
    #expect(kind([0, 0, 0, 24] + Array("ftypmif1\0\0\0\0mif1avif".utf8)) == .avif)
    #expect(kind([0, 0, 0, 24] + Array("ftypheic\0\0\0\0mif1heic".utf8)) == .heic)
    #expect(kind(Array("BM".utf8) + [UInt8](repeating: 0, count: 12) + [40, 0, 0, 0]) == .bmp)
    #expect(kind([0, 0, 1, 0, 1, 0]) == .ico)
    #expect(kind([0x49, 0x49, 0x2A, 0]) == .tiff)
    #expect(kind([0x4D, 0x4D, 0, 0x2A]) == .tiff)
    #expect(kind([0xFF, 0x0A]) == .jxl)
    #expect(kind([0, 0, 0, 12] + Array("JXL \r\n".utf8) + [0x87, 10]) == .jxl)
    #expect(kind([0, 0, 0, 12] + Array("jP  \r\n".utf8) + [0x87, 10]) == .jp2)
  }

  @Test(
    "an SVG is one behind declaration, comments and document type",
    arguments: [
      "<svg xmlns='x'>", "\u{FEFF}\n <?xml version='1.0'?>\n<!-- <html> -->\n<svg>",
      "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"x\"><svg/>",
      "<!DOCTYPE svg [ <!ENTITY a \"b\"> ]>\n<svg:svg xmlns:svg='x'>",
    ])
  func svg(_ text: String) {
    #expect(kind(text) == .svg)
  }

  @Test(
    "HTML, JSON, text, other files and nothing are no images",
    arguments: [
      "", " ", "<", "<html><svg></svg></html>", "<!DOCTYPE html><svg>",
      "<?xml version='1.0'?><html>",
      "<!doctype html>\n<html><head>", "{\"error\":\"no\"}", "Not Found", "<svgx>", "<!-- <svg> ",
      "RIFF\0\0\0\0WAVE", "\0\0\0\u{18}ftypmp42\0\0\0\0mp42", "BM is text that begins so",
      "%PDF-1.7",
      "GIF88a", "\u{1F}\u{8B}", "<svg",
    ])
  func others(_ text: String) {
    #expect(kind(text) == nil)
  }

  @Test("every kind's media type leads back to it, and the usual misnomers do")
  func types() {
    for kind in ImageKind.allCases { #expect(ImageKind(mimeType: kind.mimeType) == kind) }
    #expect(ImageKind(mimeType: "image/jpg") == .jpeg)
    #expect(ImageKind(mimeType: "image/x-icon") == .ico)
    #expect(ImageKind(mimeType: "text/html") == nil)
    #expect(ImageKind.jpeg.mimeType == "image/jpeg")
  }
}
