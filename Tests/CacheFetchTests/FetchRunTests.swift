import CacheFetch
import CachePlan
import Foundation
import TestSupport
import Testing

@Suite("A run as a whole", .timeLimit(.minutes(1)))
struct FetchRunTests {
  @Test("a stop ends everything that is under way or waiting")
  func stop() throws {
    let origin = try RawOrigin { request in
      request.number == 0 ? [.send(Array(answer().utf8))] : [.silence]
    }
    let stop = try #require(FetchStop())
    let collector = try fetch(requests(20, origin), settings { $0.limits.perHost = 2 }, until: stop)
    {
      $0.atEnd = { stop.request() }
    }
    #expect(collector.endings.count == 20)
    #expect(collector.endings.first == "200")
    #expect(collector.endings.dropFirst().allSatisfy { $0 == "stopped" })
  }

  @Test("origins that fail at random lose nothing, and no limit is passed")
  func soak() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    let origins = try (0..<3).map { _ in
      try RawOrigin { request in
        var random = seed &+ UInt64(request.number) &* 0x9E37_79B9_7F4A_7C15
        random = (random ^ random >> 31) &* 0xBF58_476D_1CE4_E5B9
        switch (random >> 33) % 8 {
        case 0: return [.close]
        case 1: return [.reset]
        case 2: return [.send(Array(answer("503 L", "Retry-After: 0").utf8))]
        case 3:
          return [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf".utf8)), .close]
        case 4: return [.send(Array("garbage\r\n\r\n".utf8)), .close]
        default: return [.send(Array(answer(body: "body of \(request.target)").utf8))]
        }
      }
    }
    let collector = try fetch(
      requests(600, origins[0], origins[1], origins[2]),
      settings {
        $0.limits.perHost = 4
        $0.limits.parallel = 9
        $0.retry = HTTPRetry(times: 4, base: .milliseconds(1))
        $0.hosts.failuresInARow = 1000
      })
    #expect(collector.outcomes.count == 600, "seed \(seed)")
    for tag in UInt64(0)..<600 {
      let isWhole = collector.body(tag) == Array("body of /\(tag)".utf8)
      #expect(isWhole == (collector.answer(tag)?.head.status == 200), "seed \(seed), \(tag)")
    }
    #expect(origins.allSatisfy { $0.mostAtOnce <= 4 }, "seed \(seed)")
  }

  @Test("a host that does not take the connection is given up in time")
  func connect() throws {
    let full = try FullListener()
    let collector = try fetch(
      "http://127.0.0.1:\(full.port)/", settings { $0.limits.connect = .milliseconds(200) })
    #expect(collector.failure() == .timeout(.connect))
  }
}
