import CacheStore
import Foundation
import TestSupport
import Testing

@Suite("The examples", .timeLimit(.minutes(2)))
struct ExampleTests {
  private let cache: OriginCache
  private let origin: RawOrigin

  init() throws {
    cache = try OriginCache()
    origin = try RawOrigin { request in
      request.target == "/none.gif"
        ? [.send(answer("404 Not Found"))]
        : [.send(answer("200 OK", ["Cache-Control: max-age=3600"], body: gif("a")))]
    }
  }

  /// A program that was built with the tests.
  private func example(_ name: String, _ arguments: [String]) -> Command {
    Command(Repository.path(".build/debug/\(name)"), arguments)
  }

  @Test("the proxy serves an image, asks for it once, and says what is not there")
  func proxy() throws {
    // It is ended when the shell has what it wants.
    let script = """
      "$0" "$1" 0 127.0.0.1 >"$1/port" & proxy=$!
      trap 'kill $proxy' EXIT
      until port=$(grep -o '[0-9]*$' "$1/port"); do sleep 0.02; done
      for n in 1 2 3; do curl -s "http://127.0.0.1:$port/$2/a.gif" | cmp - "$3" && echo same; done
      curl -s -o /dev/null -w '%{http_code}\n' "http://127.0.0.1:$port/$2/none.gif"
      """
    let file = cache.directory.appending("expected")
    try Data(gif("a")).write(to: URL(fileURLWithPath: file))
    let program = Repository.path(".build/debug/ImageProxy")
    let result = try Command(
      "bash", ["-c", script, program, cache.store.path, "http://127.0.0.1:\(origin.port)", file]
    ).run()
    #expect(result.output == "same\nsame\nsame\n404\n")
    #expect(origin.requests.map(\.target) == ["/a.gif", "/none.gif"])
  }

  @Test("the thumbnailer makes a thumbnail once, and again when its source has changed")
  func thumbnailer() throws {
    let picture = cache.directory.appending("picture.ppm")
    func write(_ colour: UInt8, _ width: Int) throws {
      let bytes =
        Array("P6\n\(width) 8\n255\n".utf8) + [UInt8](repeating: colour, count: width * 8 * 3)
      try Data(bytes).write(to: URL(fileURLWithPath: picture))
    }
    func run() throws -> String {
      try example("Thumbnailer", [cache.store.path, "4", picture]).succeed().output
    }
    try write(200, 16)
    #expect(try run() == "\(picture): made, 4×2\n")
    #expect(try run() == "\(picture): found, 4×2\n")
    try write(100, 8)
    #expect(try run() == "\(picture): made, 4×4\n")
  }

  @Test("the view's model shows a placeholder first, then the picture or the initials")
  func profile() throws {
    let urls = [origin.url("/a.gif"), origin.url("/none.gif")]
    let arguments = [cache.store.path] + urls + ["--allow", "127.0.0.1"]
    let lines = try example("ProfileImages", arguments).succeed().output
    #expect(lines == "picture, \(gif("a").count) bytes\nplaceholder\ninitials\n")
  }
}
