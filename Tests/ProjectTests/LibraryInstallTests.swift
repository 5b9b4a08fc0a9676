import TestSupport
import Testing

@Suite("The library for other languages, as it is installed", .timeLimit(.minutes(5)))
struct LibraryInstallTests {
  let stage: TemporaryDirectory
  let cache: String

  init() throws {
    stage = try TemporaryDirectory()
    var make = Command(
      "make",
      ["install", "DESTDIR=\(stage.path)", "PREFIX=/usr", "CACHECTL=\(Repository.cachectl)"])
    make.directory = Repository.root
    try make.succeed()
    cache = stage.appending("cache")
    try Command.cachectl("init", cache).succeed()
  }

  func installed(_ name: String) -> String { stage.appending("usr/" + name) }

  /// What a program has to link with beside an archive.
  static let libraries = [
    "-lxxhash", "-lsimdjson", "-lcrypto", "-lstdc++", "-lm", "-ldl", "-lpthread",
  ]

  @Test(
    "a program in C uses every function, with the shared library and with the archive",
    arguments: [true, false])
  func c(isShared: Bool) throws {
    let program = stage.appending("program")
    let words = [
      "-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I", installed("include"), "-o",
      program,
      Repository.path("Tests/Fixtures/interface.c"),
    ]
    let library =
      isShared
      ? ["-L", installed("lib"), "-lcachectl"] : [installed("lib/libcachectl.a")] + Self.libraries
    try Command("gcc", words + library).succeed()
    let run = Command(program, [cache]).with(["LD_LIBRARY_PATH": installed("lib")])
    #expect(try run.succeed().output == "all is well\n")
  }

  @Test("Python reads what the command stored, and the command what Python stored")
  func python() throws {
    try Command.cachectl("--root", cache, "put", "from the command", "/etc/hostname").succeed()
    let script = """
      import ctypes, sys
      lib = ctypes.CDLL(sys.argv[1])
      lib.cachectl_open.restype = ctypes.c_void_p
      lib.cachectl_error.restype = ctypes.c_char_p
      cache = ctypes.c_void_p(lib.cachectl_open(sys.argv[2].encode()))
      assert cache, lib.cachectl_error()
      data, size = ctypes.c_void_p(), ctypes.c_size_t()
      assert lib.cachectl_get(cache, b"from the command", ctypes.byref(data), ctypes.byref(size)) == 1
      assert ctypes.string_at(data, size.value) == open("/etc/hostname", "rb").read()
      lib.cachectl_free(data)
      body = bytes(range(256)) * 100
      assert lib.cachectl_put(cache, b"from Python", body, ctypes.c_size_t(len(body)), None, ctypes.c_int64(-1)) == 0
      assert lib.cachectl_put(cache, b"", body, ctypes.c_size_t(1), None, ctypes.c_int64(-1)) == -1
      print(lib.cachectl_error().decode())
      lib.cachectl_close(cache)
      """
    let python = Command("python3", ["-c", script, installed("lib/libcachectl.so"), cache])
    #expect(try python.succeed().output == "a key cannot be empty\n")
    let got = try Command.cachectl("--root", cache, "get", "from Python").succeed().outputBytes
    #expect(got == (0..<100).flatMap { _ in [UInt8](0...255) })
  }

  @Test(
    "programs find the installed library: the linker's cache is renewed, and not for another system's root",
    arguments: [("", true), ("/nowhere", false)])
  func linker(destination: String, isRenewed: Bool) throws {
    var make = Command(
      "make", ["-n", "install", "DESTDIR=\(destination)", "CACHECTL=\(Repository.cachectl)"])
    make.directory = Repository.root
    #expect(try make.succeed().output.contains("ldconfig") == isRenewed)
  }

  @Test("the shared library shows the functions of its header and nothing else")
  func symbols() throws {
    let shown = try Command(
      "nm", ["-D", "--defined-only", "--extern-only", installed("lib/libcachectl.so")]
    )
    .succeed()
    .output.split(separator: "\n").compactMap { $0.split(separator: " ").last }
    .map { $0.prefix { $0 != "@" } }.filter { !$0.hasPrefix("CACHECTL_") }
    let header = try Repository.text("Sources/CCachectl/include/cachectl.h")
    let declared = Set(header.matches(of: #/\b(cachectl_[a-z]+)\(/#).map { $0.1 })
    #expect(Set(shown) == declared.subtracting(["cachectl_keep_error"]))
  }
}
