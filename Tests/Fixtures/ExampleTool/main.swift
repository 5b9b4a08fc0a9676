import CommandTable
import Glibc

switch tool.parse(processArguments()) {
case .success(.show(let text)): print(text, terminator: "")
case .success(.run(let run)): exit(run())
case .failure(let error):
  let text = "\(error)\n"
  _ = write(STDERR_FILENO, text, text.utf8.count)
  exit(2)
}
