import Glibc
import TestSupport
import Testing

@Suite("completion by TAB, in the shell itself") struct CompletionTests {
  @Test("try", arguments: ["bash", "zsh", "fish"])
  func tryIt(_ shell: String) throws {
    let dir = "/tmp/tp/w"
    let s = try ShellSession(
      shell, tool: "example", in: dir, tools: "/tmp/tp/bin", completions: "/tmp/tp/comp")
    for keys in ["example get ~"] {
      print(shell, "RUN", keys.debugDescription, "=>", try s.run(keys).debugDescription)
    }
    for keys in [
      "example ", "example trim -", "example trim --measure ", "example get ",
      "example get https://img", "example trim --m", "example trim --plan x --a", "example get x ",
      "example trim --images=", "example --root ",
    ] {
      print(shell, "LIST", keys.debugDescription, "=>", try s.list(keys))
    }
  }
}
