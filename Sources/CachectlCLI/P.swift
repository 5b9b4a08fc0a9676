internal import CacheStore
internal import CacheModel
internal import CachePlan
public func run() {
  let a = CommandLine.arguments
  let path = a[2]
  switch a[1] {
  case "fill":
    let n = Int(a[3])!
    let s = try! Store.create(at: path, Configuration())
    var g = SystemRandomNumberGenerator()
    let base = Instant.now.milliseconds - 90 * 86_400_000
    for i in 0..<n {
      var r = StoreRequest(key: try! CacheKey("https://img.example/\(i).jpg"))
      let t = Instant(milliseconds: base + Int64.random(in: 0..<90 * 86_400_000, using: &g))
      r.lastUse = t
      try! s.put([UInt8](repeating: UInt8(i & 255), count: Int.random(in: 50...600, using: &g)), r, now: t)
    }
  case "gc":
    let s = try! Store(at: path)
    var b = Budget()
    b.maxCount = Int64(a[3])!
    let now = Instant.now
    let dry = a.count > 4
    let c = ContinuousClock()
    let t0 = c.now
    let ev = Eviction(of: s, to: b, room: try! s.fileSystem(), ScanRequest(now: now))
    var n = 0
    let r = try! ev.run { victims, cut in
      n += victims.count
      if dry { var o = EvictionOutcome(); for v in victims { o.removed.add(v) }; return o }
      return s.evict(UnsafeBufferPointer(victims), EvictionOrders(now: now, why: { cut.limit(for: $0) }))
    }
    print("took", c.now - t0, "victims", n, "removed", r.outcome.removed.entries, "looked", r.looked, "listed", r.census.listed.count, "usage", r.census.usage.entries, "kept", r.oldestKept as Any, r.outcome.failures.prefix(2), r.outcome.spared)
  default: break
  }
}
