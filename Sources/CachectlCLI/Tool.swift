internal import CacheStore
internal import CommandTable

/// The program: every command and what they share.
let tool: Tool<Global> = Tool(
  "cachectl", "keep a shared image cache inside its budget, sound and fresh",
  version: { versionText }, date: "November 30, 2026", Global(), page: sharedPage
) {
  Option(
    "root", \.root, value: .path("DIR", completes: .directory), help: "the cache",
    details:
      "Without it: `$CACHECTL_ROOT`; else the nearest parent of the working directory that holds `cachectl.json`; else `$XDG_CACHE_HOME/cachectl` or `~/.cache/cachectl`.",
    forwarded: true)
  Switch("json", \.json, help: "one JSON document on stdout and nothing else")
  Option("progress", \.progress, value: .oneOf(Moment.self), help: "show progress on stderr")
  Option("color", \.color, value: .oneOf(Moment.self), help: "use colours")
  Switch("quiet", short: "q", \.quiet, help: "say less")
  Switch("verbose", short: "v", counting: \.verbosity, help: "say more")
  Switch("show-secrets", \.showSecrets, help: "print URLs with user, password and signatures")
} commands: {
  [
    Init.command, Config.command, PutCommand.command, Get.command, Key.command, Import.command,
    List.command, Show.command, Stat.command, Remove.command, GC.command, Verify.command,
    Revalidate.command, Fetch.command, Watch.command, Export.command,
    Compact.command, CompletionKeys.command, Documents.command,
  ]
}

private let sharedPage = Page(
  exitStatus: ExitStatus.allCases.map { Term("\($0.rawValue)", $0.meaning) } + [
    Term("128+N", "ended by signal N, after finishing the step in hand")
  ],
  environment: [
    Term("CACHECTL_ROOT", "the cache, where `--root` is not given"),
    Term("XDG_CACHE_HOME", "where the default cache lies"),
    Term("NO_COLOR", "no colours"),
  ])

/// Runs the program with the process's arguments and returns its exit status.
public func runTool() -> Int32 {
  returnLargeBlocks()
  switch tool.parse(processArguments()) {
  case .success(.show(let text)):
    let output = Output()
    output.write(text.utf8)
    output.flush()
    return 0
  case .success(.run(let run)): return run()
  case .failure(let error):
    Talk.say("\(error)")
    return ExitStatus.usage.rawValue
  }
}
