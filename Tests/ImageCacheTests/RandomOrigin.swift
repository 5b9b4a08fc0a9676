import Foundation
import TestSupport

/// An origin that fails at random, but the same way for the same seed and number of request.
///
/// Whole bodies are one of two images for each target.
final class RandomOrigin: Sendable {
  let origin: RawOrigin

  init(seed: UInt64) throws {
    origin = try RawOrigin { request in
      var random = seed &+ UInt64(request.number) &* 0x9E37_79B9_7F4A_7C15
      random = (random ^ random >> 31) &* 0xBF58_476D_1CE4_E5B9
      return Self.steps(Int((random >> 33) % 14), request)
    }
  }

  /// What an entry of this target may hold.
  static func images(_ target: String) -> [[UInt8]] {
    [gif("old " + target), gif("new " + target + String(repeating: ".", count: 9000))]
  }

  private static func steps(_ choice: Int, _ request: RawOrigin.Request) -> [RawOrigin.Step] {
    let whole = images(request.target).map { answer("200 OK", ["ETag: \"\($0.count)\""], body: $0) }
    let isConditional = !request.values("If-None-Match").isEmpty
    switch choice {
    case 0: return [.close]
    case 1: return [.reset]
    case 2: return [.send(answer("503 Later", ["Retry-After: 0"]))]
    case 3: return [.send(answer("429 Less", ["Retry-After: 1"]))]
    case 4: return [.send(answer("404 Not Found", body: Array("none".utf8)))]
    case 5: return [.send(Array(whole[1].prefix(5000))), .close]
    case 6: return [.send(Array("garbage\r\n\r\n".utf8)), .close]
    case 7: return [.send(answer("200 OK", body: Array("<html>sorry</html>".utf8)))]
    case 8: return [.send(answer("302 Found", ["Location: http://169.254.169.254/"]))]
    case 9, 10: return [.pause(.milliseconds(3)), .send(whole[choice - 9])]
    default: return [.send(isConditional ? answer("304 Not Modified") : whole[0])]
    }
  }
}
