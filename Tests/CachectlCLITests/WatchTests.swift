import TestSupport
import Testing

@Suite("cachectl watch", .timeLimit(.minutes(2)))
struct WatchTests {
  let cache: TestCache

  init() throws { cache = try TestCache() }

  /// What a watch prints while a shell's text is run; `$1` is the command with its root.
  private func watched(_ options: String, while script: String) throws -> CommandResult {
    // It says so once it watches.
    let shell = """
      mkfifo "$3/said"
      $1 $2 2>"$3/said" >"$3/told" &
      watch=$!
      exec 3<"$3/said"
      read -r line <&3
      \(script)
      wait $watch
      echo "status $?" >&2
      cat "$3/told"
      """
    let command = "\(Repository.cachectl) --root \(cache.root)"
    return try Command(
      "sh", ["-c", shell, "sh", command, options, cache.directory.path]
    ).succeed()
  }

  @Test("each change is a line, with the key also of what is gone; secrets are masked")
  func text() throws {
    let result = try watched(
      "watch --limit 2",
      while: """
        $1 put 'https://img.example/a?token=secret' /etc/hostname >&2
        $1 put b /etc/hostname >&2
        sleep 0.2; $1 rm b >&2
        """)
    #expect(result.errors.contains("status 0"))
    let words = result.output.split(separator: "\n").map { $0.split(separator: " ").dropFirst() }
    #expect(words.contains { $0.starts(with: ["stored", "https://img.example/a?token=***"]) })
    #expect(words.count == 2)
  }

  @Test("what was removed is told by its key")
  func removed() throws {
    try cache.put("b", [1])
    let result = try watched("watch --limit 1", while: "$1 rm b >&2")
    #expect(result.output.hasSuffix("  removed  b\n"))
  }

  @Test("a signal ends it; what it told is lines that the schema describes")
  func json() throws {
    let result = try watched(
      "--json watch",
      while: """
        for key in a b c d a b c d; do $1 put $key /etc/hostname >&2; done
        $1 compact >&2
        until [ "$(grep -c rewritten "$3/told")" -ge 4 ]; do sleep 0.05; done
        kill $watch
        """)
    #expect(result.errors.contains("status 143"))
    try MachineOutputTests().validate(result.outputBytes, "watch-1", lines: true)
    for key in ["a", "b", "c", "d"] { #expect(result.output.contains("\"key\":\"\(key)\"")) }
  }
}
