import CacheFetch
import CachePlan
import Foundation
import TestSupport
import Testing

@Suite("A real nginx", .timeLimit(.minutes(1)), .serialized)
struct FetchNginxTests {
  private static let count = 200

  private func fill(_ nginx: NginxOrigin) throws {
    for number in 0..<Self.count {
      try nginx.put("\(number).jpg", Self.image(number))
    }
  }

  private static func image(_ number: Int) -> [UInt8] {
    [0xFF, 0xD8, 0xFF] + [UInt8](repeating: UInt8(number), count: number * 10)
  }

  private func run(_ nginx: NginxOrigin, _ url: (String) -> String, _ validators: [HTTPValidator?])
    throws -> Collector
  {
    let requests = (0..<Self.count).map {
      FetchRequest(tag: UInt64($0), url: url("/\($0).jpg"), validator: validators[$0])
    }
    return try fetch(
      requests,
      settings {
        $0.certificates = nginx.authority
        $0.limits.perHost = 20
      })
  }

  private func validators(_ collector: Collector, _ field: StaticString) -> [HTTPValidator?] {
    (0..<Self.count).map { number in
      collector.answer(UInt64(number)).flatMap { answer in
        let metadata = FreshnessRules().metadata(of: answer.freshnessResponse)
        let isTag = field.description == "etag"
        return HTTPValidator(
          etag: isTag ? metadata.etag : nil, lastModified: metadata.lastModified,
          now: answer.received)
      }
    }
  }

  @Test("bodies, then 304s by ETag and by date, then the images that changed; exact by its own log")
  func plain() throws { try revalidate("HTTP/1.1", secure: false) }

  @Test("the same over HTTPS with HTTP/2")
  func secure() throws { try revalidate("HTTP/2.0", secure: true) }

  private func revalidate(_ version: String, secure: Bool) throws {
    let nginx = try NginxOrigin()
    try fill(nginx)
    let url = secure ? nginx.secureURL : nginx.url
    let nothing = [HTTPValidator?](repeating: nil, count: Self.count)
    let first = try run(nginx, url, nothing)
    for number in 0..<Self.count { #expect(first.body(UInt64(number)) == Self.image(number)) }
    for field in ["etag", "last-modified"] as [StaticString] {
      let again = try run(nginx, url, validators(first, field))
      #expect(again.endings == [String](repeating: "304", count: Self.count))
    }
    for number in [3, 77, 150] { try nginx.put("\(number).jpg", [1, 2, 3]) }
    let changed = try run(nginx, url, validators(first, "etag"))
    #expect(changed.sinks.keys.sorted() == [3, 77, 150])
    #expect([3, 77, 150].allSatisfy { changed.body($0) == [1, 2, 3] })
    let log = try nginx.log()
    #expect(log.count == 4 * Self.count)
    #expect(log.allSatisfy { $0.hasPrefix(version) })
    #expect(log.filter { $0.contains(" 304 0 ") }.count == 3 * Self.count - 3)
    #expect(log.filter { $0.contains(" 200 3 ") }.count == 3 + 1)
  }

  @Test("one HTTP/2 connection carries many requests at once")
  func multiplexing() throws {
    let nginx = try NginxOrigin("location /n { return 200 $connection; }")
    let requests = (0..<100).map { FetchRequest(tag: $0, url: nginx.secureURL("/n?\($0)")) }
    let collector = try fetch(
      requests,
      settings {
        $0.certificates = nginx.authority
        $0.limits.perHost = 20
      })
    let connections = Set((0..<100).compactMap { collector.body(UInt64($0)) })
    #expect(connections.count == 1)
  }

  @Test("a large body comes whole over both")
  func large() throws {
    let nginx = try NginxOrigin()
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
    try nginx.put("large.jpg", bytes)
    for url in [nginx.url("/large.jpg"), nginx.secureURL("/large.jpg")] {
      #expect(try fetch(url, settings { $0.certificates = nginx.authority }).body() == bytes)
    }
  }
}
