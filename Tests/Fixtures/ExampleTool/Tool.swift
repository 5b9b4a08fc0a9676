import CommandTable

// A tool whose commands do nothing but show what they were given.
let tool: Tool<Global> = Tool(
  "example", "keeps items", version: { "example 1.0" }, date: "November 30, 2025", Global(),
  page: Page(
    description: "Keeps items in a store.\n\nIts commands do nothing.",
    exitStatus: [Term("0", "done"), Term("2", "usage: nothing was done")],
    environment: [Term("EXAMPLE_ROOT", "the store, where `--root` is not given")])
) {
  Option(
    "root", \.root, value: .path("DIR", completes: .directory), help: "the store",
    forwarded: true)
  Switch("json", \.json, help: "one JSON document on stdout")
  Option("color", \.color, value: .oneOf(Moment.self), help: "colours")
  Switch("verbose", short: "v", counting: \.verbosity, help: "say more")
} commands: {
  [Trim.command, Get.command, Remove.command, Keys.command, Pages.command, Problems.command]
}

func show(_ global: Global, _ text: String) -> Int32 {
  if global.json || global.verbosity > 0 { print(global) }
  print(text)
  return 0
}
