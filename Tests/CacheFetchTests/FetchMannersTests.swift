import CacheFetch
import CachePlan
import Foundation
import TestSupport
import Testing

@Suite("Manners", .timeLimit(.minutes(1)))
struct FetchMannersTests {
  private func slow(_ milliseconds: Int64) throws -> RawOrigin {
    try RawOrigin { _ in
      [.pause(.milliseconds(milliseconds)), .send(Array("HTTP/1.1 304 N\r\n\r\n".utf8))]
    }
  }

  @Test("no more requests at once than allowed, to one host and in all")
  func parallel() throws {
    let (one, two) = (try slow(10), try slow(10))
    let collector = try fetch(
      requests(60, one, two),
      settings {
        $0.limits.perHost = 3
        $0.limits.parallel = 4
      })
    #expect(collector.endings.allSatisfy { $0 == "304" } && collector.endings.count == 60)
    #expect(one.mostAtOnce <= 3 && two.mostAtOnce <= 3)
    #expect(one.requests.count == 30 && two.requests.count == 30)
    #expect(one.connections <= 3 && two.connections <= 3)
  }

  @Test("one connection serves request after request")
  func reuse() throws {
    let origin = try RawOrigin(answer(body: "x"))
    _ = try fetch(requests(50, origin), settings { $0.limits.perHost = 1 })
    #expect(origin.connections == 1 && origin.requests.count == 50)
  }

  @Test("no more requests in a second than allowed")
  func rate() throws {
    let origin = try RawOrigin(answer())
    let began = Date()
    _ = try fetch(requests(21, origin), settings { $0.limits.perSecond = 50 })
    // The first at once, twenty more at 20 ms each, less the 10 ms that may be made up for.
    #expect(Date().timeIntervalSince(began) >= 0.38)
  }

  @Test("requests are taken from the caller only when there is room for them")
  func lazily() throws {
    let origin = try RawOrigin(answer())
    let collector = try fetch(
      requests(200, origin),
      settings {
        $0.limits.parallel = 2
        $0.limits.lookAhead = 4
      })
    #expect(collector.outcomes.count == 200)
    #expect(collector.mostOpen <= 6)
    #expect(collector.waits > 0)
  }

  @Test("a passing failure is asked again, and the body of the last attempt is kept")
  func retries() throws {
    let origin = try RawOrigin { request in
      switch request.number {
      case 0: [.close]
      case 1: [.send(Array(answer("503 Later").utf8))]
      case 2: [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf".utf8)), .close]
      default: [.send(Array(answer(body: "whole").utf8))]
      }
    }
    let patient = settings { $0.retry = HTTPRetry(times: 3, base: .milliseconds(1)) }
    let collector = try fetch(origin.url(), patient)
    #expect(collector.body() == Array("whole".utf8))
    #expect(collector.sinks[0]?.map(\.isDiscarded) == [true, false])
    #expect(collector.answer()?.requests == 4)
  }

  @Test("repetitions end, and the last answer counts")
  func retriesEnd() throws {
    let origin = try RawOrigin(answer("503 Later"))
    let patient = settings { $0.retry = HTTPRetry(times: 2, base: .milliseconds(1)) }
    #expect(try fetch(origin.url(), patient).endings == ["503"])
    #expect(origin.requests.count == 3)
  }

  @Test("what will not pass is not asked again", arguments: ["401 U", "403 F", "404 N", "501 N"])
  func noRetries(_ status: String) throws {
    let origin = try RawOrigin(answer(status))
    _ = try fetch(origin.url(), settings { $0.retry = HTTPRetry(times: 3, base: .milliseconds(1)) })
    #expect(origin.requests.count == 1)
  }

  @Test("RFC 9110, 10.2.3: the whole host waits for the Retry-After that one answer asks for")
  func retryAfter() throws {
    let times = Times()
    let origin = try RawOrigin { request in
      times.add()
      let first = answer("429 Slow", "Retry-After: 1")
      return [.send(Array((request.number == 0 ? first : answer()).utf8))]
    }
    let collector = try fetch(
      requests(2, origin),
      settings {
        $0.retry = HTTPRetry(times: 1, base: .milliseconds(1))
        $0.limits.perHost = 1
      })
    #expect(collector.endings == ["200", "200"])
    #expect(times.all.count == 3)
    #expect(times.all[1].timeIntervalSince(times.all[0]) >= 0.99)
  }

  @Test("a host that asks for too long a wait is left alone, and its requests end at once")
  func tooLong() throws {
    let origin = try RawOrigin(answer("429 Slow", "Retry-After: 86400"))
    let collector = try fetch(
      requests(30, origin),
      settings {
        $0.limits.perHost = 1
        $0.retry.times = 1
      })
    #expect(collector.endings.first == "429")
    #expect(
      collector.failure(29) == .hostLeftAlone(host: "127.0.0.1", .askedToWait(.seconds(86_400))))
    #expect(origin.requests.count == 1)
  }

  @Test(
    "a host that refuses again and again is left alone, and others are not",
    arguments: ["403 F", "500 E", "429 S"])
  func breaker(_ status: String) throws {
    let bad = try RawOrigin(answer(status))
    let good = try RawOrigin(answer())
    let collector = try fetch(
      requests(100, bad, good),
      settings {
        $0.limits.perHost = 1
        $0.retry.base = .zero
      })
    #expect(bad.requests.count == 10)
    #expect(good.requests.count == 50)
    #expect(collector.endings.count == 100)
    let verdicts = collector.hosts.map { ($0.origin.port, $0.verdict) }
    #expect(verdicts.first { $0.0 == bad.port }?.1 == .failing(inARow: 10))
    #expect(verdicts.first { $0.0 == good.port }?.1 == nil)
  }

  @Test("a host that cannot be reached is left alone after ten attempts")
  func unreachable() throws {
    let many = (0..<40).map { FetchRequest(tag: $0, url: "http://127.0.0.1:1/\($0)") }
    let collector = try fetch(many, settings { $0.limits.perHost = 1 })
    let refused = collector.endings.filter { $0.hasPrefix("cannot connect") }
    #expect(refused.count == 10 && refused[0].contains("Connection refused"))
    #expect(collector.endings.filter { $0.contains("left alone") }.count == 30)
  }

  @Test("a host that answers 404 for nearly everything is left alone")
  func gone() throws {
    let origin = try RawOrigin(answer("404 Not Found"))
    let collector = try fetch(requests(50, origin), settings { $0.limits.perHost = 1 })
    #expect(origin.requests.count == 20)
    #expect(collector.hosts.first?.verdict == .goneNearly(gone: 20, of: 20))
  }

  @Test("a name that does not resolve is a failure of its own")
  func names() throws {
    #expect(try fetch("http://img.invalid/").failure() == .resolve)
  }

  @Test("an origin that accepts and says nothing is given up at the deadline")
  func silence() throws {
    let origin = try RawOrigin { _ in [.silence] }
    let collector = try fetch(origin.url(), settings { $0.limits.deadline = .milliseconds(200) })
    #expect(collector.failure() == .timeout(.deadline))
  }

  @Test("a drip feed is given up at the deadline, however steady")
  func deadline() throws {
    let origin = try drip()
    let collector = try fetch(origin.url(), settings { $0.limits.deadline = .milliseconds(300) })
    #expect(collector.failure() == .timeout(.deadline))
    #expect(collector.body() == nil)
  }

  @Test("a drip feed below the least speed is given up before the deadline")
  func leastSpeed() throws {
    let origin = try drip()
    let collector = try fetch(
      origin.url(),
      settings {
        $0.limits.leastSpeed = 1_000_000
        $0.limits.leastSpeedFor = .seconds(1)
      })
    #expect(collector.failure() == .timeout(.leastSpeed))
  }

  private func drip() throws -> RawOrigin {
    try RawOrigin { _ in
      [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n".utf8))]
        + (0..<100_000).flatMap { _ in [RawOrigin.Step.send([0x78]), .pause(.milliseconds(10))] }
    }
  }
}

/// When something happened.
final class Times: Sendable {
  private let lock = NSLock()
  private nonisolated(unsafe) var times: [Date] = []

  var all: [Date] { lock.withLock { times } }

  func add() { lock.withLock { times.append(Date()) } }
}
