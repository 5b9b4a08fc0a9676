import Foundation
import TestSupport
import Testing

@Suite struct InstallTests {
  let stage: TemporaryDirectory

  init() throws {
    stage = try TemporaryDirectory()
    var make = Command(
      "make",
      ["install", "DESTDIR=\(stage.path)", "PREFIX=/usr", "CACHECTL=\(Repository.cachectl)"])
    make.directory = Repository.root
    try make.succeed()
  }

  /// A path below the installed prefix.
  func installed(_ name: String) -> String { stage.appending("usr/" + name) }

  @Test("the installed command runs")
  func command() throws {
    let version = try Command(installed("bin/cachectl"), ["--version"]).succeed()
    #expect(version.output.hasPrefix("cachectl "))
  }

  @Test("the installed command finds the decoder that was installed with it")
  func decoder() throws {
    let root = stage.appending("cache")
    try Command(installed("bin/cachectl"), ["init", root]).succeed()
    try Command(installed("bin/cachectl"), ["--root", root, "verify", "--images=decode"]).succeed()
  }

  @Test("man finds a page of the command and of the layout")
  func pages() throws {
    for page in ["cachectl", "cachectl-layout"] {
      let found = try Command("mman", ["-M", installed("share/man"), "-w", page]).succeed()
      #expect(found.output.hasPrefix(installed("share/man")))
    }
  }

  @Test("bash completes the command once its completion is loaded")
  func bash() throws {
    let script =
      "source \(installed("share/bash-completion/completions/cachectl")); complete -p cachectl"
    #expect(try Command("bash", ["--norc", "-c", script]).succeed().output.hasSuffix("cachectl\n"))
  }

  @Test("zsh finds the completion in its functions")
  func zsh() throws {
    let folder = installed("share/zsh/site-functions")
    let script =
      "fpath=(\(folder) $fpath); autoload -Uz compinit; compinit -D -u; print $_comps[cachectl]"
    #expect(try Command("zsh", ["-f", "-c", script]).succeed().output == "_cachectl\n")
  }

  @Test("fish finds the completion among its vendors' and offers the commands")
  func fish() throws {
    // fish looks for a command's completion only where it finds the command.
    let environment = [
      "HOME": stage.path, "XDG_DATA_DIRS": installed("share"),
      "PATH": installed("bin") + ":/usr/bin:/bin",
    ]
    let command = Command("fish", ["-c", "complete -C 'cachectl veri'"]).with(environment)
    #expect(try command.succeed().output.hasPrefix("verify"))
  }
}
