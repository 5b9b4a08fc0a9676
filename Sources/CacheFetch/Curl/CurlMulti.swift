internal import CLibCurl
internal import Glibc

/// Many transfers on one thread, sharing their connections: a multi handle.
///
/// It is driven by its sockets and its timer. The simpler way, `curl_multi_perform` between calls of
/// `curl_multi_poll`, loses wake-ups of HTTP/2 streams in libcurl 7.88.1, the one of Debian 12: a
/// stream that got its data while another one was read waits for a second.
final class CurlMulti {
  private let curl: CurlLibrary
  private let multi: UnsafeMutableRawPointer
  private var sockets = CurlSockets()

  init(_ curl: CurlLibrary, connections: Int) throws(FetchFailure) {
    guard let multi = curl.call.pointee.curl_multi_init() else { throw .setting("no memory") }
    self.curl = curl
    self.multi = multi
    try check(
      cachectl_curl_set_multi_long(curl.call, multi, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX))
    try check(cachectl_curl_set_multi_long(curl.call, multi, CURLMOPT_MAXCONNECTS, connections))
    let me = Unmanaged.passUnretained(self).toOpaque()
    try check(cachectl_curl_set_multi_socket(curl.call, multi, CurlMulti.watchSocket))
    try check(cachectl_curl_set_multi_pointer(curl.call, multi, CURLMOPT_SOCKETDATA, me))
  }

  deinit { _ = curl.call.pointee.curl_multi_cleanup(multi) }

  /// Starts the transfer that was prepared.
  func add(_ easy: CurlEasy) throws(FetchFailure) {
    try check(curl.call.pointee.curl_multi_add_handle(multi, easy.handle))
  }

  /// Takes a transfer out, ended or not; its connection stays where it can be used again.
  func remove(_ easy: CurlEasy) {
    _ = curl.call.pointee.curl_multi_remove_handle(multi, easy.handle)
  }

  /// Waits for the network, for the descriptor to become readable, or for the time to pass, and does
  /// what is to be done then.
  func wait(atMost time: Duration, or descriptor: Int32?) throws(FetchFailure) {
    let began = FetchSystem.monotonic
    let timer = try timer()
    let left = min(time, timer ?? time)
    for ready in sockets.wait(atMost: left, or: descriptor) { try act(ready.socket, ready.events) }
    if let timer, FetchSystem.monotonic - began >= timer { try act(CURL_SOCKET_BAD, 0) }
  }

  /// How soon libcurl wants to be called whatever happens; nil: it does not.
  private func timer() throws(FetchFailure) -> Duration? {
    var milliseconds = -1
    try check(curl.call.pointee.curl_multi_timeout(multi, &milliseconds))
    return milliseconds < 0 ? nil : .milliseconds(milliseconds)
  }

  /// A transfer that has ended, with its failure if it has one; nil: none is left.
  func nextEnded() -> (events: any CurlEvents, failure: FetchFailure?)? {
    var left: Int32 = 0
    while let message = curl.call.pointee.curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE,
        let easy = CurlEasy.owner(of: message.pointee.easy_handle, curl)
      else { continue }
      let failure = easy.failure(message.pointee.data.result)
      remove(easy)
      return (easy.events, failure)
    }
    return nil
  }

  /// `CURL_SOCKET_BAD` stands for the timer: CURL_SOCKET_TIMEOUT is the same number.
  private func act(_ socket: Int32, _ events: Int32) throws(FetchFailure) {
    var running: Int32 = 0
    try check(curl.call.pointee.curl_multi_socket_action(multi, socket, events, &running))
  }

  private func check(_ code: CURLMcode) throws(FetchFailure) {
    guard code != CURLM_OK else { return }
    throw .setting(CurlLibrary.text(curl.call.pointee.curl_multi_strerror(code)))
  }

  private static func owner(_ data: UnsafeMutableRawPointer?) -> CurlMulti? {
    data.map { Unmanaged<CurlMulti>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let watchSocket: curl_socket_callback = { _, socket, wanted, data, _ in
    let isRead = wanted == CURL_POLL_IN || wanted == CURL_POLL_INOUT
    let isWrite = wanted == CURL_POLL_OUT || wanted == CURL_POLL_INOUT
    owner(data)?.sockets.watch(socket, read: isRead, write: isWrite)
    return 0
  }
}
