import Glibc
import TestSupport
import Testing

@Suite("completion by TAB, in the shell itself") struct CompletionTests {
  @Test("try", arguments: ["bash", "zsh", "fish"])
  func tryIt(_ shell: String) throws {
    let dir = "/tmp/tp/w"
    let s = try ShellSession(shell, tool: "example", in: dir, tools: "/tmp/tp/bin", completions: "/tmp/tp/comp")
    for keys in ["example ge\t only\t", "example get zw\t", "example get https://img.example/a\t", "example get https://img.example/c\t", "example get \"https://img.example/c\t", "example get 'it\t", "example get it\t", "example get ba\t sub\tfi\t", "example --root su\t get r\t", "example --root=su\t get r\t", "example trim --mea\tdi\t", "example trim --measure=di\t", "example get ~\t", "example get \\~\t", "example get sn\t", "example rm only\t -- zw\t", "example trim -np a\t", "example trim --images=d\t", "example trim --plan=a\t -v", "example help tr\t", "example --root ~/su\t get r\t"] {
      print(shell, "RUN", keys.debugDescription, "=>", try s.run(keys).debugDescription)
    }
    for keys in ["example ", "example trim -", "example trim --measure ", "example get ", "example get https://img", "example trim --m", "example trim --plan x --a", "example get x ", "example trim --images=", "example --root "] {
      print(shell, "LIST", keys.debugDescription, "=>", try s.list(keys))
    }
  }
}
