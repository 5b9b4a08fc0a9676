import CachePlan
import Testing

@testable import CacheFetch

@Suite("Which request goes next")
struct FetchQueueTests {
  private func job(_ tag: Int, _ host: String = "a") throws -> FetchJob {
    let url = "http://\(host).example/\(tag)"
    return FetchJob(request: FetchRequest(tag: UInt64(tag), url: url), url: try HTTPURL(url))
  }

  private func queue(_ change: (inout FetchLimits) -> Void = { _ in }) -> FetchQueue {
    var limits = FetchLimits()
    limits.perHost = 2
    change(&limits)
    return FetchQueue(limits: limits, rules: HTTPHostRules(failuresInARow: 3))
  }

  private func drain(_ queue: inout FetchQueue, at now: Duration = .zero) -> [FetchJob] {
    var jobs: [FetchJob] = []
    while let job = queue.next(at: now) { jobs.append(job) }
    return jobs
  }

  @Test("hosts take turns, each in its own order, none beyond its limit")
  func turns() throws {
    var queue = queue()
    for tag in 0..<4 { queue.add(try job(tag)) }
    for tag in 4..<6 { queue.add(try job(tag, "b")) }
    let first = drain(&queue)
    #expect(first.map(\.request.tag) == [0, 4, 1, 5])
    queue.finish(first[0], .served)
    #expect(drain(&queue).map(\.request.tag) == [2])
    #expect(queue.waiting == 1 && queue.running == 4)
  }

  @Test("a paused host starts nothing before its time, and then with half as many at once")
  func pause() throws {
    var queue = queue()
    for tag in 0..<6 { queue.add(try job(tag)) }
    let first = drain(&queue)
    queue.pause(first[0], until: .seconds(10))
    first.forEach { queue.finish($0, nil) }
    #expect(drain(&queue, at: .milliseconds(9999)).isEmpty)
    #expect(queue.nextTime(after: .seconds(5)) == .seconds(10))
    #expect(drain(&queue, at: .seconds(10)).count == 1)
  }

  @Test("a longer pause is not shortened by a later one")
  func twoPauses() throws {
    var queue = queue()
    for tag in 0..<6 { queue.add(try job(tag)) }
    let first = drain(&queue)
    queue.pause(first[0], until: .seconds(10))
    queue.pause(first[1], until: .seconds(5))
    first.forEach { queue.finish($0, nil) }
    #expect(drain(&queue, at: .seconds(6)).isEmpty)
    #expect(drain(&queue, at: .seconds(10)).count == 1)
  }

  @Test("a job for later comes at its time, the earliest first")
  func later() throws {
    var queue = queue { $0.perHost = 10 }
    for (tag, time) in [(0, 5), (1, 3), (2, 4), (3, 3)] {
      queue.add(try job(tag), at: .seconds(time))
    }
    #expect(queue.waiting == 4)
    #expect(queue.nextTime(after: .zero) == .seconds(3))
    #expect(drain(&queue, at: .seconds(3)).map(\.request.tag) == [1, 3])
    #expect(drain(&queue, at: .seconds(9)).map(\.request.tag) == [2, 0])
    #expect(queue.nextTime(after: .seconds(9)) == nil)
  }

  @Test("the jobs of a host that is left alone come out another way, also those added later")
  func leftAlone() throws {
    var queue = queue()
    for tag in 0..<5 { queue.add(try job(tag)) }
    queue.add(try job(9, "b"))
    for _ in 0..<3 {
      let next = try #require(drain(&queue).first { $0.request.tag < 5 })
      queue.finish(next, .failed)
    }
    #expect(try queue.verdict(job(0).url.origin) == .failing(inARow: 3))
    queue.add(try job(7))
    var out: [UInt64] = []
    while let job = queue.nextLeftAlone() { out.append(job.request.tag) }
    #expect(out.last == 7)
    #expect(queue.waiting == 0)
  }

  @Test("starts are spread over the second")
  func rate() throws {
    var queue = queue {
      $0.perHost = 1000
      $0.perSecond = 10
    }
    for tag in 0..<30 { queue.add(try job(tag)) }
    var starts: [Duration] = []
    for tick in 0..<2000 {
      let now = Duration.milliseconds(tick)
      for _ in drain(&queue, at: now) { starts.append(now) }
    }
    // 10 in a second: 20 in the two seconds, and none closer than 90 ms.
    #expect(starts.count == 20 || starts.count == 21)
    #expect(zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 >= .milliseconds(90) })
  }

  @Test("whatever happens, no limit is passed and no job is lost", arguments: 0..<20)
  func random(_ seed: UInt64) throws {
    var random = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    func draw(_ bound: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(random >> 33) % bound
    }
    var queue = queue { $0.perHost = 3 }
    var running: [FetchJob] = []
    var (added, ended) = (0, 0)
    var now = Duration.zero
    for _ in 0..<2000 {
      now += .milliseconds(draw(5))
      switch draw(5) {
      case 0, 1:
        queue.add(try job(added, "h\(draw(4))"))
        added += 1
      case 2:
        while let job = queue.next(at: now) { running.append(job) }
        while queue.nextLeftAlone() != nil { ended += 1 }
      case 3 where !running.isEmpty:
        let job = running.remove(at: draw(running.count))
        queue.finish(job, [.served, .served, .served, .failed, nil][draw(5)])
        if draw(4) == 0 {
          queue.add(job, at: now + .milliseconds(draw(50)))
        } else {
          ended += 1
        }
      case 4 where !running.isEmpty:
        queue.pause(running[draw(running.count)], until: now + .milliseconds(draw(30)))
      default: break
      }
      let perHost = Dictionary(grouping: running, by: \.url.origin).mapValues(\.count)
      #expect(perHost.values.allSatisfy { $0 <= 3 })
      #expect(added == ended + running.count + queue.waiting)
    }
    #expect(queue.running == running.count)
    #expect(queue.removeAll().count + ended + running.count == added)
  }
}
