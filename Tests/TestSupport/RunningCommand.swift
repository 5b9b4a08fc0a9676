import Glibc
import Synchronization

/// One at a time: a child started by another thread between the making of a pipe and its closing on
/// exec would hold its end, and nobody would see the end of the input.
private let spawning = Mutex(())

/// A program that is running, in a process group of its own.
///
/// One thread at a time may use it. A command that nobody waited for is killed when this goes.
public final class RunningCommand: @unchecked Sendable {
  /// Its process, which is also its process group.
  public let process: Int32
  private let limit: Duration
  private var pipes: Pipes
  private var isReaped = false

  init(_ command: Command) throws {
    (pipes, process) = try spawning.withLock { _ in
      var pipes = try Pipes(input: command.input)
      do {
        let process = try spawn(command, pipes)
        pipes.closeChildEnds()
        return (pipes, process)
      } catch {
        pipes.closeAll()
        throw error
      }
    }
    limit = command.limit
  }

  deinit {
    guard !isReaped else { return }
    kill(-process, SIGKILL)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    pipes.closeAll()
  }

  /// Sends a signal to the program itself.
  public func signal(_ number: Int32) { kill(process, number) }

  /// Waits until the program has stopped (SIGSTOP); throws if it ended instead.
  public func waitUntilStopped() throws {
    var status: Int32 = 0
    while waitpid(process, &status, WUNTRACED) < 0 && errno == EINTR {}
    guard status & 0xff == 0x7f else {
      isReaped = true
      pipes.closeAll()
      throw TestFailure("process \(process) ended and did not stop: status \(status)")
    }
  }

  /// Waits for the end, reading all that the program writes.
  public func wait() throws -> CommandResult {
    let isInTime = pipes.exchange(until: .now + limit)
    if !isInTime { kill(-process, SIGKILL) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    isReaped = true
    pipes.closeAll()
    guard isInTime else { throw TestFailure("process \(process) still ran after \(limit)") }
    let signal = status & 0x7f
    return CommandResult(
      ending: signal == 0 ? .exited(status >> 8 & 0xff) : .signalled(signal),
      outputBytes: pipes.output, errorBytes: pipes.errors)
  }
}
