import CacheModel
import CacheStore
import Foundation
import TestSupport
import Testing

@Suite("gc on real file systems", .needsMounts)
struct GCFileSystemTests {
  /// A cache on a file system of its own, and the command on it.
  private struct MountedCache {
    let device: LoopDevice
    let root: String

    init(_ device: LoopDevice, entries: Int, bytes: Int = 4096) throws {
      self.device = device
      root = device.path + "/cache"
      for path in [device.path, (device.path as NSString).deletingLastPathComponent] {
        chmod(path, 0o755)
      }
      try Command.cachectl("init", root, "--quiet").succeed()
      let store = try Store(at: root)
      for number in 0..<entries {
        var request = StoreRequest(key: try CacheKey("\(number)"))
        request.lastUse = Instant(milliseconds: 1_700_000_000_000 + Int64(number) * 1000)
        try store.put([UInt8](repeating: UInt8(number & 255), count: bytes), request, now: .now)
      }
    }

    func run(_ words: String...) throws -> CommandResult {
      try Command(Repository.cachectl, ["--root", root] + words).run()
    }

    /// The numbers of the entries that are there.
    func present(_ count: Int) throws -> [Int] {
      let store = try Store(at: root, for: .reading)
      return try (0..<count).filter { number in
        guard case .some = store.get(try CacheKey("\(number)"), touchAt: nil) else { return false }
        return true
      }
    }

    func object(_ number: Int) throws -> String {
      let name = "\(try CacheKey("\(number)").name)"
      return "\(root)/objects/\(name.prefix(2))/\(name)"
    }

    /// Fills the file system to the last byte, beside the cache.
    func fill() throws {
      let script = """
        n=0
        for size in 1M 64k 4k 512 1; do
          while head -c $size /dev/zero > "$1/fill-$n" 2>/dev/null; do n=$((n+1)); done
        done
        sync -f "$1"
        """
      _ = try Command("sh", ["-c", script, "sh", device.path]).run()
    }
  }

  @Test(
    "on a full disk gc frees space, and needs none for it",
    arguments: LoopDevice.FileSystem.allCases)
  func full(_ fileSystem: LoopDevice.FileSystem) throws {
    let cache = try MountedCache(LoopDevice(fileSystem), entries: 40, bytes: 65_536)
    try cache.fill()
    var put = Command.cachectl("--root", cache.root, "put", "late", "-")
    put.input = [UInt8](repeating: 1, count: 4 << 20)
    let refused = try put.run()
    #expect(
      refused.status == 3 && refused.errors.contains("No space left on device (ENOSPC)"),
      "\(refused.errors)")
    let gc = try cache.run("--json", "gc", "--max-count", "10")
    #expect(gc.status == 0, "\(gc.output) \(gc.errors)")
    #expect(try gc.json().object("evicted").number("entries") == 30)
    #expect(try cache.present(40) == Array(30..<40))
    let second = try cache.run("gc", "--max-count", "10")
    #expect(second.status == 0, "\(second.errors)")
    let verify = try cache.run("verify", "--strict")
    #expect(verify.status == 0, "\(verify.output)")
    #expect(try cache.run("rm", "35").status == 0)
  }

  @Test(
    "without a free inode gc frees some, of entries and of strays",
    arguments: [LoopDevice.FileSystem.ext4, .tmpfs])
  func noInodes(_ fileSystem: LoopDevice.FileSystem) throws {
    let cache = try MountedCache(
      LoopDevice(fileSystem, mebibytes: 16, inodes: 1500), entries: 30, bytes: 100)
    // Nobody has evicted here yet: lock and history cannot be made. Shard 00 has no manifest either.
    let stray = cache.root + "/objects/00/" + String(repeating: "0", count: 64)
    try write([1], to: stray)
    try setTimes(stray, "2001-01-01")
    _ = try Command(
      "sh",
      ["-c", "i=0; while : > \"$1/f$i\"; do i=$((i+1)); done 2>/dev/null", "sh", cache.device.path]
    ).run()
    var put = Command.cachectl("--root", cache.root, "put", "late", "-")
    put.input = [1]
    #expect(try put.run().errors.contains("No space left on device (ENOSPC)"))
    let gc = try cache.run("--json", "gc", "--max-count", "20")
    #expect(gc.status == 0, "\(gc.output) \(gc.errors)")
    #expect(try cache.present(30) == Array(10..<30))
    #expect(!exists(stray))
    #expect(try cache.run("gc", "--max-count", "20").status == 0)
    #expect(try cache.run("verify", "--strict").status == 0)
  }

  @Test(
    "on a read-only mount a dry run works, and a run says what it may not",
    arguments: LoopDevice.FileSystem.allCases)
  func readOnly(_ fileSystem: LoopDevice.FileSystem) throws {
    let cache = try MountedCache(LoopDevice(fileSystem), entries: 10)
    try cache.device.remount("ro")
    let plan = try cache.run("--json", "gc", "-n", "--max-count", "4")
    let victims = try plan.json().objects("victims")
    #expect(plan.status == 0 && victims.count == 6, "\(plan.errors)")
    for words in [["verify", "--strict"], ["get", "3"], ["ls"], ["stat"]] {
      #expect(
        try Command(Repository.cachectl, ["--root", cache.root] + words).run().status == 0,
        "\(words)")
    }
    let gc = try cache.run("gc", "--max-count", "4")
    #expect(gc.status == 3)
    #expect(gc.errors.contains("state/gc.lock: Read-only file system (EROFS)"), "\(gc.errors)")
    #expect(try cache.run("rm", "3").status == 3)
    #expect(try cache.present(10).count == 10)
  }

  @Test(
    "an immutable file is skipped and named, and the next one takes its place",
    arguments: [LoopDevice.FileSystem.ext4, .xfs, .btrfs])
  func immutable(_ fileSystem: LoopDevice.FileSystem) throws {
    let cache = try MountedCache(LoopDevice(fileSystem), entries: 10)
    try Command("chattr", ["+i", cache.object(1)]).succeed()
    let gc = try cache.run("--json", "gc", "--max-count", "6")
    let report = try gc.json()
    #expect(gc.status == 3 && report["met"] as? Bool == true)
    #expect(try cache.present(10) == [1, 5, 6, 7, 8, 9])
    let failures = report.objects("failures")
    #expect(failures.count == 1)
    let reason = failures.first?["reason"] as? String ?? ""
    #expect(reason.hasSuffix("Operation not permitted (EPERM)") && reason.contains("objects/"))
    // Nothing else may go in its place: the budget is not met, and the report says why.
    let last = try cache.run("--json", "gc", "--max-count", "0")
    #expect(last.status == 4)
    let limit = try #require(try last.json().objects("limits").first)
    #expect(
      limit["why"] as? String == "1 victims could not be removed" && limit.number("after") == 1)
    try Command("chattr", ["-i", cache.object(1)]).succeed()
    #expect(try cache.run("gc", "--max-count", "0").status == 0)
  }

  @Test("a directory that may not be written is skipped entry by entry, by a user without rights")
  func noPermission() throws {
    let cache = try MountedCache(LoopDevice(.ext4), entries: 10)
    try Command("chown", ["-R", "4001:4001", cache.root]).succeed()
    let victim = try cache.object(2)
    let shard = (victim as NSString).deletingLastPathComponent
    let user = [
      "--reuid=4001", "--regid=4001", "--clear-groups", Repository.cachectl, "--root", cache.root,
    ]
    for (mode, names, most) in [("555", true, 7), ("444", false, 6), ("000", false, 5)] {
      try Command("chmod", [mode, shard]).succeed()
      let gc = try Command("setpriv", user + ["--json", "gc", "--max-count", "\(most)"]).run()
      let report = try gc.json()
      #expect([3, 4].contains(gc.status), "\(mode): \(gc.errors)")
      let text = gc.output
      #expect(text.contains("Permission denied (EACCES)"), "\(mode): \(text)")
      #expect(text.contains(shard.suffix(10)), "\(mode)")
      if names { #expect(report.objects("failures").count == 1, "\(text)") }
      #expect(exists(victim))
    }
    try Command("chmod", ["2700", shard]).succeed()
    #expect(try Command("setpriv", user + ["gc", "--max-count", "0"]).run().status == 0)
  }

  @Test(
    "the last use is told on a mount that keeps no access times",
    arguments: [LoopDevice.FileSystem.ext4, .tmpfs])
  func noAccessTimes(_ fileSystem: LoopDevice.FileSystem) throws {
    let cache = try MountedCache(LoopDevice(fileSystem, options: ["noatime"]), entries: 10)
    #expect(try cache.run("get", "0").status == 0)
    #expect(try cache.run("get", "4").status == 0)
    #expect(try cache.run("gc", "--max-count", "3").status == 0)
    #expect(try cache.present(10) == [0, 4, 9])
  }
}
