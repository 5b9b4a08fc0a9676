internal import CacheStore
internal import CommandTable
internal import Glibc

/// `docs`: writes the man pages and the completions that ship with the program.
struct Documents: Sendable {
  var directory: [UInt8] = []

  static let command = Command<Global>(
    "docs", "write man pages and completions into a directory", Documents(), hidden: true
  ) {
    Argument("DIR", \.directory, value: .path("DIR", completes: .directory), help: "where to")
  } run: { global, options in
    Session.run(global, "docs") { session throws(Session.Failure) in
      try options.write()
      return Verdict()
    }
  }

  private func write() throws(Session.Failure) {
    try makeDirectory("man")
    try makeDirectory("completions")
    for page in tool.manPages() { try write(page.text, to: "man/\(page.file)") }
    try write(layoutPage, to: "man/cachectl-layout.5")
    try write(tool.completions(for: .bash), to: "completions/cachectl.bash")
    try write(tool.completions(for: .zsh), to: "completions/_cachectl")
    try write(tool.completions(for: .fish), to: "completions/cachectl.fish")
  }

  private func path(_ name: String) -> [UInt8] { directory + "/".utf8 + name.utf8 }

  private func makeDirectory(_ name: String) throws(Session.Failure) {
    let made = mkdir(path(name).map { CChar(bitPattern: $0) } + [0], 0o777)
    if made != 0, errno != EEXIST {
      throw Session.Failure(.incomplete, "cannot make \(name): \(Errno(errno))")
    }
  }

  private func write(_ text: String, to name: String) throws(Session.Failure) {
    try OutputFile(path(name)).write { sink throws(StoreError) in
      _ = Array(text.utf8).withUnsafeBytes { sink($0) }
    }
  }
}
