import Foundation

/// Starts a command with its three streams on the child's ends of `pipes`.
func spawn(_ command: Command, _ pipes: Pipes) throws -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  for (number, end) in pipes.child.enumerated() {
    posix_spawn_file_actions_adddup2(&actions, end, Int32(number))
  }

  var attributes = ordinarySignals()
  defer { posix_spawnattr_destroy(&attributes) }
  // glibc's way to set the directory is not among what Swift imports; env(1) becomes the command.
  let prefix = command.directory.map { ["env", "-C", $0] } ?? []
  let words = prefix + [command.executable] + command.arguments
  let arguments = CStrings(words)
  let environment = CStrings(merged(command.environment).map { "\($0)=\($1)" })
  var process: pid_t = 0
  let error = posix_spawnp(
    &process, words[0], &actions, &attributes, arguments.pointers, environment.pointers)
  guard error == 0 else {
    throw TestFailure("cannot run \(command.executable): \(String(cString: strerror(error)))")
  }
  return process
}

/// A group of its own, and every signal as a shell would leave it, whatever the test runner ignores.
private func ordinarySignals() -> posix_spawnattr_t {
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  var all = sigset_t()
  var none = sigset_t()
  sigfillset(&all)
  sigemptyset(&none)
  posix_spawnattr_setsigdefault(&attributes, &all)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setpgroup(&attributes, 0)
  let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
  posix_spawnattr_setflags(&attributes, Int16(flags))
  return attributes
}

private func merged(_ changes: [String: String?]) -> [String: String] {
  var environment = ProcessInfo.processInfo.environment
  for (name, value) in changes { environment[name] = value }
  return environment
}

/// A null-ended array of C strings, as exec wants it.
private final class CStrings {
  let pointers: [UnsafeMutablePointer<CChar>?]

  init(_ strings: [String]) { pointers = strings.map { strdup($0) } + [nil] }

  deinit {
    for pointer in pointers { free(pointer) }
  }
}
