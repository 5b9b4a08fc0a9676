// A table of commands, and everything a person sees of it.
//
// A program declares its commands once, one row an option. The parser, `-h`, `--help`, the man
// pages and the completions of bash, zsh and fish are pure functions of these rows. The table
// never prints, never exits, reads no environment and knows no locale.
//
//     struct Fetch: Sendable {
//       var limit: Int?                 // nil: not given
//       var check = Check.fast          // what holds when it is not given
//       var hosts: [String] = []
//       var dryRun = false
//       var url = ""
//
//       static let command = Command<Global>(
//         "fetch", "read a page through the cache", Fetch(),
//         page: Page(
//           description: "Reads `URL` and keeps it.\n\nA second paragraph.",
//           examples: [Example("tool fetch --limit 3 https://img.example/", "three pages at most")])
//       ) {
//         Option("limit", short: "l", \.limit, value: .number("N", in: 1...64), help: "pages at most")
//         Option("check", \.check, value: .oneOf(Check.self), help: "how closely to look")
//         Option("host", \.hosts, each: .text("HOST"), help: "only this host; may be repeated")
//         Switch("dry-run", short: "n", \.dryRun, help: "say what would be done")
//         Argument("URL", \.url, value: .text("URL", completes: .call("__urls")), help: "the page")
//         Rule.atMostOne("--limit", "--host")
//       } run: { global, options in
//         …                             // → the exit status
//       }
//     }
//
//     let tool = Tool(
//       "tool", "reads pages", version: { "tool 1.0" }, date: "November 30, 2025", Global(),
//       page: Page(exitStatus: [Term("0", "done")])
//     ) {
//       Option("root", \.root, value: .text("DIR", completes: .directory), help: "the cache",
//         forwarded: true)
//     } commands: {
//       [Fetch.command]
//     }
//
//     switch tool.parse(processArguments()) {
//     case .success(.show(let text)): …   // -h, --help, --version, help, completions: to stdout
//     case .success(.run(let run)): …     // run() → the exit status
//     case .failure(let error): …         // error.description to stderr
//     }
//
// How a line is read (GNU style):
// - Global options stand before or after the command's name, options before, between or after
//   arguments; `--` ends options; a lone `-` is an argument.
// - `--name VALUE`, `--name=VALUE`, `-l VALUE`, `-lVALUE`; switches join: `-nl 3`. A long name is
//   never shortened, because a shortened one breaks when a later release adds an option.
// - The word after an option is its value unless it is itself an option of that command; then the
//   value is missing (`--plan --full` does not write a file called `--full`; `--plan=--full` does).
// - An option with a value that is given twice is an error unless its row takes `each`; a switch
//   may be repeated, which changes nothing unless its row counts.
// - An argument is bytes. One that is not UTF-8 reaches a row whose value takes bytes (`.path`);
//   any other row refuses it by name.
