import Glibc

/// The three pipes between a test and its child, and what went through them.
struct Pipes {
  private(set) var output: [UInt8] = []
  private(set) var errors: [UInt8] = []
  /// The child's ends: standard input, output and error.
  private(set) var child: [Int32]
  private var own: [Int32]
  private var input: ArraySlice<UInt8>

  init(input: [UInt8]) throws {
    self.input = input[...]
    (child, own) = ([], [])
    for number in 0..<3 {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { throw TestFailure("pipe: errno \(errno)") }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      let childReads = number == 0
      child.append(ends[childReads ? 0 : 1])
      own.append(ends[childReads ? 1 : 0])
    }
    _ = fcntl(own[0], F_SETFL, O_NONBLOCK)
  }

  mutating func closeChildEnds() {
    for end in child { close(end) }
    child = []
  }

  mutating func closeAll() {
    closeChildEnds()
    for number in own.indices { closeOwn(number) }
  }

  private mutating func closeOwn(_ number: Int) {
    if own[number] >= 0 { close(own[number]) }
    own[number] = -1
  }

  /// Writes the input and reads both outputs until the child closed them; false when time ran out.
  mutating func exchange(until deadline: ContinuousClock.Instant) -> Bool {
    while own[1] >= 0 || own[2] >= 0 {
      if input.isEmpty { closeOwn(0) }
      let left = (deadline - .now) / Duration.milliseconds(1)
      guard left > 0 else { return false }
      var polls = [
        pollfd(fd: own[0], events: Int16(POLLOUT), revents: 0),
        pollfd(fd: own[1], events: Int16(POLLIN), revents: 0),
        pollfd(fd: own[2], events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polls, 3, Int32(min(left.rounded(.up), 60_000))) > 0 else { continue }
      if polls[0].revents != 0 { feed() }
      if polls[1].revents != 0 { output += drain(1) }
      if polls[2].revents != 0 { errors += drain(2) }
    }
    closeOwn(0)
    return true
  }

  private mutating func feed() {
    // MSG_NOSIGNAL has no counterpart for pipes: a child that stops reading must not kill the test.
    signal(SIGPIPE, SIG_IGN)
    let sent = input.withUnsafeBytes { write(own[0], $0.baseAddress, $0.count) }
    input = sent < 0 && errno != EAGAIN ? [] : input.dropFirst(max(0, sent))
  }

  private mutating func drain(_ number: Int) -> [UInt8] {
    let chunk = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
      count = max(0, read(own[number], buffer.baseAddress, buffer.count))
    }
    if chunk.isEmpty { closeOwn(number) }
    return chunk
  }
}
