internal import CLibCurl
internal import Glibc

/// The sockets that libcurl wants watched.
struct CurlSockets {
  private var watched: [pollfd] = []
  private var places: [Int32: Int] = [:]

  /// Watches a socket for what is wanted from now on; for nothing: no more.
  mutating func watch(_ socket: Int32, read: Bool, write: Bool) {
    let events = Int16((read ? POLLIN : 0) | (write ? POLLOUT : 0))
    switch (places[socket], events) {
    case (nil, 0): break
    case (nil, _):
      places[socket] = watched.count
      watched.append(pollfd(fd: socket, events: events, revents: 0))
    case (let place?, 0):
      places[socket] = nil
      let last = watched.removeLast()
      guard place < watched.count else { return }
      watched[place] = last
      places[last.fd] = place
    case (let place?, _): watched[place].events = events
    }
  }

  /// Waits until a socket or the descriptor has something, or the time has passed, and gives the
  /// sockets that have, with libcurl's bits for what.
  mutating func wait(
    atMost time: Duration, or descriptor: Int32?
  ) -> [(socket: Int32, events: Int32)] {
    if let descriptor { watched.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)) }
    defer { if descriptor != nil { watched.removeLast() } }
    let milliseconds = Int32(min(60_000, (time + .microseconds(999)) / .milliseconds(1)))
    // An interrupted wait is one that found nothing: whoever waits looks at everything again.
    guard poll(&watched, nfds_t(watched.count), milliseconds) > 0 else { return [] }
    return watched.dropLast(descriptor == nil ? 0 : 1).filter { $0.revents != 0 }.map {
      ($0.fd, CurlSockets.bits($0.revents))
    }
  }

  private static func bits(_ found: Int16) -> Int32 {
    let found = Int32(found)
    var bits: Int32 = 0
    if found & (POLLIN | POLLHUP) != 0 { bits |= CURL_CSELECT_IN }
    if found & POLLOUT != 0 { bits |= CURL_CSELECT_OUT }
    if found & (POLLERR | POLLNVAL) != 0 { bits |= CURL_CSELECT_ERR }
    return bits
  }
}
