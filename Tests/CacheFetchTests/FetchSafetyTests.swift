import CacheFetch
import CachePlan
import Foundation
import TestSupport
import Testing

@Suite("Whom is trusted", .timeLimit(.minutes(1)), .serialized)
struct FetchSafetyTests {
  @Test("a loopback address is refused unless it is allowed, as a number and as a name")
  func addresses() throws {
    let origin = try RawOrigin(answer())
    for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"] {
      let collector = try fetch(
        "http://\(host):\(origin.port)/", settings { $0.addresses.allowed = [] })
      if case .address = collector.failure() {
      } else {
        Issue.record("\(host) \(collector.endings)")
      }
    }
    #expect(origin.connections == 0)
    #expect(try fetch("http://localhost:\(origin.port)/").endings == ["200"])
  }

  @Test("a proxy of the environment is used only where that was told")
  func environment() throws {
    let proxy = try RawOrigin(answer())
    let origin = try RawOrigin(answer())
    setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
    setenv("all_proxy", "http://127.0.0.1:\(proxy.port)", 1)
    defer {
      unsetenv("http_proxy")
      unsetenv("all_proxy")
    }
    _ = try fetch(origin.url())
    #expect(proxy.requests.count == 0 && origin.requests.count == 1)
    _ = try fetch(origin.url(), settings { $0.proxy = .environment })
    #expect(proxy.requests.map(\.target) == [origin.url()])
  }

  @Test("a proxy that was told is used for every host, and hosts written as addresses are checked")
  func proxy() throws {
    let proxy = try RawOrigin(answer())
    let told = settings {
      $0.proxy = .url("http://127.0.0.1:\(proxy.port)")
      $0.addresses.allowed = []
    }
    #expect(try fetch("http://img.invalid/a", told).endings == ["200"])
    #expect(proxy.requests.map(\.target) == ["http://img.invalid/a"])
    let metadata = try fetch("http://169.254.169.254/latest", told)
    #expect(metadata.failure() == HTTPAddress("169.254.169.254").map { .address($0) })
    #expect(proxy.requests.count == 1)
  }

  @Test("a .netrc is never read")
  func netrc() throws {
    let home = FileManager.default.temporaryDirectory.appendingPathComponent("home-\(UUID())")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    let text = "machine 127.0.0.1 login u password p\n"
    try text.write(to: home.appendingPathComponent(".netrc"), atomically: true, encoding: .utf8)
    let before = ProcessInfo.processInfo.environment["HOME"]
    setenv("HOME", home.path, 1)
    defer { if let before { setenv("HOME", before, 1) } }
    let origin = try RawOrigin(answer())
    _ = try fetch(origin.url())
    #expect(origin.requests.map { $0.values("authorization") } == [[]])
  }

  @Test("a certificate of an unknown authority, or for another name, ends the connection")
  func certificates() throws {
    let nginx = try NginxOrigin()
    try nginx.put("a.jpg", [1, 2, 3])
    let trusting = settings { $0.certificates = nginx.authority }
    #expect(try fetch(nginx.secureURL("/a.jpg"), trusting).body() == [1, 2, 3])
    let unknown = try fetch(nginx.secureURL("/a.jpg"))
    if case .tls = unknown.failure() {} else { Issue.record("\(unknown.endings)") }
    let other = try fetch("https://127.0.0.1:\(nginx.securePort)/a.jpg", trusting)
    if case .tls = other.failure() {} else { Issue.record("\(other.endings)") }
    let none = try fetch(nginx.secureURL("/a.jpg"), settings { $0.certificates = "/nonexistent" })
    if case .tls = none.failure() {} else { Issue.record("\(none.endings)") }
  }

  @Test("a redirect from https to http is refused")
  func downgrade() throws {
    let plain = try RawOrigin(answer())
    let nginx = try NginxOrigin("location /a { return 302 \(plain.url()); }")
    let collector = try fetch(nginx.secureURL("/a"), settings { $0.certificates = nginx.authority })
    #expect(collector.failure() == .redirect(.downgrade))
    #expect(plain.connections == 0)
  }

  @Test("no failure's text holds a URL, a password or a signature")
  func secrets() throws {
    let secret = "zzzsecretzzz"
    let urls = [
      "http://u:\(secret)@127.0.0.1:1/x?X-Amz-Signature=\(secret)",
      "http://u:\(secret)@img.invalid/",
      "http://u:\(secret)@10.0.0.1/", "http://\(secret)@a@b/", "x:\(secret)",
    ]
    for url in urls {
      let collector = try fetch(url)
      let failure = try #require(collector.failure())
      #expect(!"\(failure)".contains(secret) && !String(reflecting: failure).contains(secret))
    }
  }

  @Test("libcurl is not linked, so that commands without HTTP do not load it")
  func linking() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/readelf")
    let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
    let me = maps.split(separator: "\n").compactMap { $0.split(separator: " ").last }.first {
      $0.hasSuffix(".xctest")
    }
    process.arguments = ["-d", String(try #require(me))]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: output, as: UTF8.self)
    #expect(text.contains("libswiftCore") && !text.contains("libcurl"))
    #expect(try Fetcher.libraryVersion.hasPrefix("libcurl/"))
  }
}
