import Glibc

/// A C file of the repository, compiled into the build folder.
struct Compiled: Sendable {
  let path: String

  init(_ source: String, as name: String, _ options: String...) throws {
    let folder = Repository.path(".build/fixtures")
    path = "\(folder)/\(name)"
    try Command("mkdir", ["-p", folder]).succeed()
    // Another run of the tests may be using the file: it is replaced whole.
    let new = "\(path).\(getpid())"
    try Command("gcc", ["-O2"] + options + ["-o", new, Repository.path(source)]).succeed()
    try Command("mv", [new, path]).succeed()
  }
}
