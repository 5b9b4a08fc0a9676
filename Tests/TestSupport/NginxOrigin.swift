public import Foundation
internal import Glibc

/// A real nginx on two loopback ports, HTTP/1.1 and HTTPS with HTTP/2, with a certificate of its own
/// authority; for as long as this lives.
public final class NginxOrigin: Sendable {
  /// The port of HTTP/1.1.
  public let port: UInt16
  /// The port of HTTPS with HTTP/2.
  public let securePort: UInt16
  /// The folder that it serves.
  public let documents: URL
  /// The authority's certificate.
  public let authority: String
  private let folder: URL

  /// Starts it; `server` goes into the server's block as it is.
  public init(_ server: String = "") throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("nginx-\(UUID())")
    documents = folder.appendingPathComponent("documents")
    try FileManager.default.createDirectory(at: documents, withIntermediateDirectories: true)
    authority = folder.appendingPathComponent("authority.pem").path
    (port, securePort) = (try NginxOrigin.freePort(), try NginxOrigin.freePort())
    try NginxOrigin.makeCertificates(in: folder.path)
    try configuration(server).write(
      to: folder.appendingPathComponent("nginx.conf"), atomically: true, encoding: .utf8)
    // nginx goes to the background once it listens, so there is nothing to wait for.
    try NginxOrigin.run(
      "nginx", ["-p", folder.path, "-e", "errors.log", "-c", "nginx.conf"], in: folder.path)
  }

  deinit {
    let file = folder.appendingPathComponent("nginx.pid")
    // Without a number it never ran, and there is nothing to stop.
    let text = try? String(contentsOf: file, encoding: .utf8)
    if let process = text.flatMap({ pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) }) {
      kill(process, SIGTERM)
      // It is not our child; until it is gone it writes into the folder. Five seconds at most.
      for _ in 0..<1000 where kill(process, 0) == 0 { usleep(5000) }
    }
    // What is left in the system's temporary folder is left to the system.
    try? FileManager.default.removeItem(at: folder)
  }

  /// A line of the access log for each request: protocol, status, bytes of body sent, target.
  public func log() throws -> [String] {
    let log = folder.appendingPathComponent("access.log")
    return try String(contentsOf: log, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// A URL of HTTP/1.1.
  public func url(_ target: String) -> String { "http://127.0.0.1:\(port)\(target)" }

  /// A URL of HTTPS with HTTP/2.
  public func secureURL(_ target: String) -> String { "https://localhost:\(securePort)\(target)" }

  /// Puts a file into the folder that is served.
  public func put(_ name: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: documents.appendingPathComponent(name))
  }

  private func configuration(_ server: String) -> String {
    """
    user root; pid nginx.pid; worker_processes 1;
    events { worker_connections 1024; }
    http {
      log_format short '$server_protocol $status $body_bytes_sent $request_uri';
      access_log access.log short;
      types { image/jpeg jpg; image/png png; image/gif gif; }
      client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
      uwsgi_temp_path uwsgi; scgi_temp_path scgi;
      server {
        listen 127.0.0.1:\(port); listen 127.0.0.1:\(securePort) ssl http2;
        ssl_certificate server.pem; ssl_certificate_key server.key;
        root documents; \(server)
      }
    }
    """
  }

  private static func makeCertificates(in folder: String) throws {
    let script = """
      key="-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
      openssl req -x509 $key -keyout authority.key -out authority.pem -days 2 -subj /CN=Test &&
      openssl req $key -keyout server.key -out server.csr -subj /CN=localhost &&
      echo 'subjectAltName=DNS:localhost' > names &&
      openssl x509 -req -in server.csr -CA authority.pem -CAkey authority.key -CAcreateserial \
        -out server.pem -days 2 -extfile names
      """
    try run("sh", ["-c", script], in: folder)
  }

  /// A port that was free a moment ago.
  private static func freePort() throws -> UInt16 {
    let (socket, port) = try RawOrigin.listen()
    close(socket)
    return port
  }

  /// Runs a program to its end.
  ///
  /// Foundation's `Process` waits for whoever holds the descriptors it hands down, which a server that
  /// goes to the background does for good.
  private static func run(_ program: String, _ arguments: [String], in folder: String) throws {
    let script = "cd \"$0\" && exec \"$@\" >>output 2>&1"
    let words = ["sh", "-c", script, folder, program] + arguments
    var pointers = words.map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    var child: pid_t = 0
    var status: Int32 = -1
    guard posix_spawnp(&child, "sh", nil, nil, &pointers, environ) == 0,
      waitpid(child, &status, 0) == child, status == 0
    else {
      let said = try String(contentsOfFile: folder + "/output", encoding: .utf8)
      throw CocoaError(.executableLoad, userInfo: ["said": said])
    }
  }
}
