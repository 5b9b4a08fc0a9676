internal import CLibCurl

/// Many transfers on one thread, sharing their connections: a multi handle.
final class CurlMulti {
  private let curl: CurlLibrary
  private let multi: UnsafeMutableRawPointer

  init(_ curl: CurlLibrary, connections: Int) throws(FetchFailure) {
    guard let multi = curl.call.pointee.curl_multi_init() else { throw .setting("no memory") }
    self.curl = curl
    self.multi = multi
    try check(
      cachectl_curl_set_multi_long(curl.call, multi, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX))
    try check(cachectl_curl_set_multi_long(curl.call, multi, CURLMOPT_MAXCONNECTS, connections))
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

  /// Does all that can be done without waiting.
  func perform() throws(FetchFailure) {
    var running: Int32 = 0
    try check(curl.call.pointee.curl_multi_perform(multi, &running))
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

  /// Waits for the network, for the descriptor to become readable, or for the time to pass.
  func wait(atMost milliseconds: Int32, or descriptor: Int32?) throws(FetchFailure) {
    var ready: Int32 = 0
    guard let descriptor else {
      return try check(curl.call.pointee.curl_multi_poll(multi, nil, 0, milliseconds, &ready))
    }
    var wanted = curl_waitfd(fd: descriptor, events: Int16(CURL_WAIT_POLLIN), revents: 0)
    try check(curl.call.pointee.curl_multi_poll(multi, &wanted, 1, milliseconds, &ready))
  }

  private func check(_ code: CURLMcode) throws(FetchFailure) {
    guard code != CURLM_OK else { return }
    throw .setting(CurlLibrary.text(curl.call.pointee.curl_multi_strerror(code)))
  }
}
