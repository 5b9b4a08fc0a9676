import CacheModel
import Testing

@Suite("Byte counts")
struct ByteCountTests {
  @Test("a product beyond 63 bits is nil instead of a trap")
  func product() {
    #expect(ByteCount.product(200, 1_000_000) == ByteCount(200_000_000))
    #expect(ByteCount.product(8_796_093_022_208, 1_048_576) == nil)
    #expect(ByteCount.product(9_223_372_036_854, 1_000_000) == ByteCount(9_223_372_036_854_000_000))
  }

  @Test("sums stop at the largest count and differences at zero")
  func saturation() {
    #expect(ByteCount(.max) + ByteCount(1) == ByteCount(.max))
    #expect(ByteCount(1) - ByteCount(2) == .zero)
  }

  @Test(
    "the text has one place behind the point",
    arguments: [
      (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (48_213, "48.2 kB"), (999_999, "999.9 kB"),
      (1_000_000, "1.0 MB"), (Int64.max, "9.2 EB"),
    ])
  func text(bytes: Int64, text: String) { #expect("\(ByteCount(bytes))" == text) }
}
