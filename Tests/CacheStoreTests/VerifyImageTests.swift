import CacheModel
import Foundation
import TestSupport
import Testing

@testable import CacheStore

@Suite("Images in the cache") struct VerifyImageTests {
  static let formats = ["avif", "gif", "jpeg", "png", "svg", "webp"]

  /// The helper as it was built with the tests, beside them.
  static let helper: String = {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return (own as NSString).deletingLastPathComponent + "/cachectl-decode"
  }()

  static func picture(_ name: String) throws -> [UInt8] {
    try FileBytes(path: Repository.path("Tests/Fixtures/images/\(name)")).read()
  }

  private func findings(_ depth: ImageDepth, _ bodies: [([UInt8], String?)]) throws -> [Int:
    Finding]
  {
    let cache = try VerifyFixture()
    var indices: [EntryName: Int] = [:]
    for (index, body) in bodies.enumerated() {
      indices[try cache.put(index, body.0, type: body.1)] = index
    }
    let found = cache.verify { $0.images = depth }.findings
    return found.reduce(into: [:]) { found, finding in
      if let name = finding.name, let index = indices[name] { found[index] = finding }
    }
  }

  private func type(_ format: String) -> String {
    format == "svg" ? "image/svg+xml" : "image/\(format)"
  }

  @Test(
    "whole images of every format are sound, decoded too",
    arguments: [ImageDepth.structure, .decode(helper: helper)])
  func whole(depth: ImageDepth) throws {
    var bodies = try Self.formats.map { (try Self.picture("picture.\($0)"), type($0) as String?) }
    bodies.append((try Self.picture("animated.webp"), "image/webp; q=1"))
    bodies.append((try Self.picture("picture.png"), nil))
    bodies.append((try Self.picture("picture.png"), "application/octet-stream"))
    #expect(try findings(depth, bodies) == [:])
  }

  @Test("every format is found cut off, wherever it is cut", arguments: formats)
  func cut(format: String) throws {
    let picture = try Self.picture("picture.\(format)")
    let bodies = stride(from: 60, to: picture.count - 1, by: max(1, picture.count / 40)).map {
      (Array(picture[..<$0]), type(format) as String?)
    }
    let found = try findings(.decode(helper: Self.helper), bodies)
    #expect(found.count == bodies.count)
    #expect(found.values.allSatisfy { [.cutOff, .undecodable, .notAnImage].contains($0.kind) })
  }

  @Test(
    "HTML and JSON saved as a picture, nothing at all, and another type than declared are told apart"
  )
  func wrong() throws {
    let png = try Self.picture("picture.png")
    let found = try findings(
      .structure,
      [
        (Array("<!DOCTYPE html><title>Sign in</title>".utf8), "image/png"),
        (Array("{\"error\":429}".utf8), "image/jpeg"), ([], "image/gif"), (png, "image/jpeg"),
        (png, "text/html"),
      ])
    #expect(
      (0..<5).map { found[$0]?.kind } == [
        .notAnImage, .notAnImage, .notAnImage, .wrongType, .wrongType,
      ])
    #expect(found[3]?.detail == "image/png, declared as image/jpeg")
  }

  @Test("a PNG with a bad checksum, in any chunk, and one with bad data do not decode")
  func badChunks() throws {
    let png = try Self.picture("picture.png")
    let title = try #require(png.firstRange(of: Array("a test picture".utf8)))
    let data = try #require(png.firstRange(of: Array("IDAT".utf8)))
    let bodies = [title.lowerBound, data.upperBound + 500].map { place in
      var harmed = png
      harmed[place] ^= 1
      return (harmed, "image/png" as String?)
    }
    #expect(try findings(.structure, bodies) == [:])
    let found = try findings(.decode(helper: Self.helper), bodies)
    #expect(found.values.map(\.kind) == [.undecodable, .undecodable])
  }

  @Test("a helper that dies is said of its image, and the next image has a new one")
  func death() throws {
    let folder = try TemporaryDirectory()
    let script = folder.appending("helper")
    try Data("#!/bin/sh\nkill -SEGV $$\n".utf8).write(to: URL(fileURLWithPath: script))
    chmod(script, 0o755)
    let png = try Self.picture("picture.png")
    let found = try findings(.decode(helper: script), [(png, nil), (png, nil)])
    #expect(found.count == 2)
    #expect(
      found.values.allSatisfy { $0.kind == .undecodable && $0.detail.contains("died of signal 11") }
    )
  }

  @Test("without a helper nothing is concluded")
  func noHelper() throws {
    let found = try findings(
      .decode(helper: "/nowhere/helper"), [(try Self.picture("picture.png"), nil)])
    #expect(found[0]?.kind == .unreadable)
  }

  @Test("hostile bytes of every format at worst make a finding")
  func hostile() throws {
    var bodies: [([UInt8], String?)] = []
    for format in Self.formats {
      let picture = try Self.picture("picture.\(format)")
      for seed in 0..<60 {
        var harmed = picture
        let noise = VerifyFixture.body(seed, 24)
        for index in 0..<8 {
          harmed[12 + Int(noise[index]) * 7 % (harmed.count - 12)] = noise[index + 8]
        }
        bodies.append((harmed, nil))
      }
    }
    let found = try findings(.decode(helper: Self.helper), bodies)
    #expect(found.values.allSatisfy { $0.kind.isFailure })
    #expect(!found.values.contains { $0.detail.contains("died") })
  }

  @Test("an image that claims a billion pixels is refused without taking the memory")
  func bomb() throws {
    var png = try Self.picture("picture.png")
    png.replaceSubrange(16..<24, with: [0, 0, 0x7f, 0xff, 0, 0, 0x7f, 0xff])
    let crc = crc32(Array(png[12..<29]))
    png.replaceSubrange(
      29..<33, with: (0..<4).map { UInt8(truncatingIfNeeded: crc >> (24 - 8 * $0)) })
    let found = try findings(.decode(helper: Self.helper), [(png, nil)])
    #expect(found[0]?.detail == "too many pixels")
  }

  /// The checksum of PNG (RFC 2083, section 15).
  private func crc32(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in
        crc & 1 == 1 ? 0xedb8_8320 ^ (crc >> 1) : crc >> 1
      }
    }
  }
}
