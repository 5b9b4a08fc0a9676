import Glibc

/// One connection of a raw origin.
final class RawConnection {
  private let socket: Int32
  private let number: Int
  private var received: [UInt8] = []

  init(_ socket: Int32, _ number: Int) {
    self.socket = socket
    self.number = number
  }

  /// Answers requests until one side has had enough.
  func serve(_ answer: (RawOrigin.Request) -> [RawOrigin.Step], _ seen: Seen) {
    while let head = nextHead() {
      let steps = answer(seen.add(head, on: number))
      let goesOn = steps.allSatisfy(perform)
      seen.answered()
      guard goesOn else { return }
    }
  }

  private func nextHead() -> [UInt8]? {
    let end: [UInt8] = [13, 10, 13, 10]
    while true {
      for start in received.indices.dropLast(3) where received[start..<start + 4].elementsEqual(end)
      {
        let head = Array(received[..<(start + 4)])
        received.removeFirst(start + 4)
        return head
      }
      guard receive() else { return nil }
    }
  }

  private func receive() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &buffer, buffer.count, 0)
    guard count > 0 else { return false }
    received += buffer[..<count]
    return true
  }

  private func perform(_ step: RawOrigin.Step) -> Bool {
    switch step {
    case .send(let bytes): return send(bytes)
    case .pause(let duration):
      usleep(UInt32(duration / .microseconds(1)))
      return true
    case .silence:
      while receive() {}
      return false
    case .close:
      shutdown(socket, Int32(SHUT_RDWR))
      return false
    case .reset:
      // Closing with the linger time at zero sends a reset instead of an end.
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
      return false
    }
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }
}
