import Glibc

/// A program on a terminal of its own, typed at and read as a person would.
///
/// Reading waits for what is expected, never for a time to pass; the time limit ends a test that fails.
public final class Terminal {
  /// What the terminal showed since the last `take`, without escape sequences.
  public private(set) var shown = ""

  private let terminal: CInt
  private let process: pid_t
  private var raw: [UInt8] = []

  /// Starts a program on a new terminal of 200 columns and 60 rows.
  public init(
    _ program: String, _ arguments: [String], environment: [String: String], directory: String
  ) throws(TestFailure) {
    // posix_openpt and its companions are not in the Glibc module; this is what they do (pty(7)).
    terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var locked: CInt = 0
    var number: CUnsignedInt = 0
    guard terminal >= 0, ioctl(terminal, setLock, &locked) == 0,
      ioctl(terminal, getNumber, &number) == 0
    else { throw TestFailure("no terminal: errno \(errno)") }
    var size = winsize(ws_row: 60, ws_col: 200, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    let inDirectory = ["-C", directory, program] + arguments
    process = try spawn("/usr/bin/env", inDirectory, environment, on: "/dev/pts/\(number)")
  }

  deinit {
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
    close(terminal)
  }

  /// Types keys; `\t` is TAB, `\r` Enter, `\u{15}` Control-U.
  public func type(_ keys: String) throws(TestFailure) {
    var rest = Array(keys.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
      guard count > 0 else { throw TestFailure("cannot type: errno \(errno)") }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads until a text is shown, and returns all that was shown up to then.
  @discardableResult
  public func take(until text: String, seconds: Int = 30) throws(TestFailure) -> String {
    let end = time(nil) + seconds
    while true {
      if let range = firstRange(of: text) {
        let taken = String(shown[..<range.upperBound])
        shown.removeSubrange(..<range.upperBound)
        return taken
      }
      try read(until: end, "waiting for \"\(text)\"")
    }
  }

  private func firstRange(of text: String) -> Range<String.Index>? { shown.firstRange(of: text) }

  private func read(until end: Int, _ purpose: String) throws(TestFailure) {
    var ready = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    let left = max(0, end - time(nil))
    guard poll(&ready, 1, CInt(left * 1000)) > 0 else {
      throw TestFailure("too late, \(purpose); shown: \(shown)")
    }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(terminal, &bytes, bytes.count)
    guard count > 0 else { throw TestFailure("the program ended, \(purpose); shown: \(shown)") }
    raw += bytes.prefix(count)
    shown += EscapeSequences.takePlainText(from: &raw)
  }
}

/// `TIOCSPTLCK` and `TIOCGPTN` of asm-generic/ioctls.h, macros that Swift does not import.
private let setLock: UInt = 0x4004_5431
private let getNumber: UInt = 0x8004_5430

/// `POSIX_SPAWN_SETSID` of glibc's spawn.h, which the Glibc module leaves out.
private let newSession: Int16 = 0x80

private func spawn(
  _ program: String, _ arguments: [String], _ environment: [String: String],
  on terminal: String
) throws(TestFailure) -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  // The first terminal that the leader of a new session opens becomes its controlling terminal.
  posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
  posix_spawn_file_actions_adddup2(&actions, 0, 1)
  posix_spawn_file_actions_adddup2(&actions, 0, 2)
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var signals = sigset_t()
  sigemptyset(&signals)
  posix_spawnattr_setsigmask(&attributes, &signals)
  posix_spawnattr_setflags(&attributes, newSession | Int16(POSIX_SPAWN_SETSIGMASK))
  var words = ([program] + arguments).map { strdup($0) } + [nil]
  var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
  defer { for text in words + variables { free(text) } }
  var process: pid_t = 0
  let error = posix_spawnp(&process, program, &actions, &attributes, &words, &variables)
  guard error == 0 else { throw TestFailure("cannot start \(program): errno \(error)") }
  return process
}
