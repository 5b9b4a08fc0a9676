import Foundation
import TestSupport
import Testing

@Suite struct FaultShimTests {
  let folder: TemporaryDirectory
  let shim: FaultShim

  init() throws {
    folder = try TemporaryDirectory()
    shim = try FaultShim.shared.get()
  }

  /// Makes, writes, renames and removes a file: five calls that change the disk.
  var job: Command {
    let python = """
      import os
      f = os.open("a", os.O_CREAT | os.O_WRONLY, 0o666); os.write(f, b"12345678"); os.fsync(f)
      os.rename("a", "b"); os.unlink("b")
      """
    var command = Command("/usr/bin/python3", ["-I", "-S", "-B", "-c", python])
    command.directory = folder.path
    return command
  }

  func holds(_ name: String) -> String? {
    try? String(contentsOfFile: folder.appending(name), encoding: .utf8)
  }

  @Test("the calls that change the disk are counted, in order, with their paths")
  func counted() throws {
    let calls = try shim.calls(of: job)
    #expect(calls.map(\.name) == ["open", "write", "fsync", "rename", "unlink"])
    #expect(calls.map(\.ordinal) == [1, 2, 3, 4, 5])
    #expect(calls[1].path == folder.appending("a"))
  }

  @Test("a command ends before, in the middle of and after the call that is chosen")
  func cut() throws {
    #expect(try shim.run(job, .exitBefore(2)).ending == .exited(137))
    #expect(holds("a") == "")
    #expect(try shim.run(job, .exitHalfway(2)).ending == .exited(137))
    #expect(holds("a") == "1234")
    #expect(try shim.run(job, .exitAfter(2)).ending == .exited(137))
    #expect(holds("a") == "12345678")
    #expect(try shim.run(job, .exitAfter(4)).ending == .exited(137))
    #expect(holds("a") == nil && holds("b") == "12345678")
  }

  @Test("the chosen calls fail with the chosen error, by function or by family")
  func failures() throws {
    for call in ["rename", "write", "fsync", "sync"] {
      let result = try shim.run(job, .fail(call, "ENOSPC"))
      #expect(result.status == 1)
      #expect(result.errors.contains("No space left on device"), "\(call)")
    }
    #expect(try shim.run(job, .fail("write", "EIO", nth: 2)).status == 0)
    #expect(try shim.run(job, .fail("write", "EIO"), .onPath("elsewhere")).status == 0)
  }

  @Test("writes are cut short without being failures")
  func short() throws {
    _ = try shim.run(job, .short(3), .exitAfter(2))
    #expect(holds("a") == "123")
  }

  @Test("a command stops before the chosen call and goes on when told")
  func stops() throws {
    let running = try shim.giving([.signal(SIGSTOP, before: 4)], to: job).start()
    try running.waitUntilStopped()
    #expect(holds("a") == "12345678" && holds("b") == nil)
    running.signal(SIGCONT)
    #expect(try running.wait().status == 0)
  }
}
