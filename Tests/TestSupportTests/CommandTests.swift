import Glibc
import TestSupport
import Testing

@Suite struct CommandTests {
  @Test("a command's output, errors and status come back, and its input reaches it")
  func exchange() throws {
    var command = Command("sh", ["-c", "cat; echo oops >&2; exit 3"])
    command.input = Array(repeating: 65, count: 300_000)
    let result = try command.run()
    #expect(result.outputBytes == command.input)
    #expect(result.errors == "oops\n")
    #expect(result.ending == .exited(3))
  }

  @Test("a command that reads nothing does not hold up or kill the test")
  func unreadInput() throws {
    var command = Command("true")
    command.input = Array(repeating: 65, count: 1_000_000)
    #expect(try command.run().status == 0)
  }

  @Test("a signal is told from an exit status")
  func signalled() throws {
    let result = try Command("sh", ["-c", "kill -TERM $$"]).run()
    #expect(result.ending == .signalled(SIGTERM))
    #expect(result.status == 128 + SIGTERM)
  }

  @Test("a command that hangs is killed with its children and fails the test")
  func hang() {
    var command = Command("sh", ["-c", "sleep 60 & wait"])
    command.limit = .milliseconds(200)
    #expect(throws: TestFailure.self) { try command.run() }
  }

  @Test("variables are set and taken away, and the directory is the one asked for")
  func surroundings() throws {
    var command = Command("sh", ["-c", "echo ${HOME-none} $A; pwd"])
    command.environment = ["HOME": nil, "A": "b c"]
    command.directory = "/usr"
    #expect(try command.run().output == "none b c\n/usr\n")
  }

  @Test("peak memory is the child's own")
  func peakMemory() throws {
    let python = Command("/usr/bin/python3", ["-c", "b'x' * (64 << 20)"])
    #expect(try PeakMemory.of(python) > 64 << 20)
    #expect(try PeakMemory.of(Command("true")) < 4 << 20)
  }
}
