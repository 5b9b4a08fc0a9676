internal import CLibCurl

/// libcurl's functions, loaded at the first use.
struct CurlLibrary {
  let call: UnsafePointer<cachectl_curl>

  init() throws(FetchFailure) {
    guard let functions = cachectl_curl_load() else {
      throw .library(String(cString: cachectl_curl_load_error()))
    }
    call = functions
  }

  /// The versions of libcurl and what it stands on.
  var version: String { CurlLibrary.text(call.pointee.curl_version()) }

  /// What libcurl says of a code.
  func reason(_ code: CURLcode) -> String {
    CurlLibrary.text(call.pointee.curl_easy_strerror(code))
  }

  static func text(_ text: UnsafePointer<CChar>?) -> String {
    text.map { String(cString: $0) } ?? ""
  }
}
