import Glibc
import CommandTable

/// A key that completion knows, and a file.
struct Get: Sendable {
  var key = ""
  var file: [UInt8]?

  static let command = Command<Global>(
    "get", "write an item to a file", Get(), page: Page(description: "Writes `KEY` to `FILE`.")
  ) {
    Argument("KEY", \.key, value: .text("KEY", completes: .call("__keys")), help: "the item")
    Argument("FILE", \.file, value: .path("FILE"), help: "where to")
  } run: { global, options in
    show(global, "get <\(options.key)> <\(String(decoding: options.file ?? [], as: UTF8.self))>")
  }
}

/// Any number of keys.
struct Remove: Sendable {
  var keys: [String] = []
  var prefix: String?

  static let command = Command<Global>(
    "rm", "remove items", Remove(), page: Page(description: "Removes each `KEY`.")
  ) {
    Option("prefix", \.prefix, value: .text("P"), help: "all that begin with P")
    Argument("KEY", \.keys, each: .text("KEY", completes: .call("__keys")), help: "an item")
    Rule.exactlyOne("KEY", "--prefix")
  } run: { global, options in
    show(global, "rm " + options.keys.map { "<\($0)>" }.joined())
  }
}

/// What completion calls.
struct Keys: Sendable {
  var prefix = ""

  static let command = Command<Global>("__keys", "print keys", Keys(), hidden: true) {
    Argument("PREFIX", \.prefix, value: .text("PREFIX"), help: "how they begin")
  } run: { global, options in
    let root = String(decoding: global.root ?? [], as: UTF8.self)
    for key in keys(root) where key.hasPrefix(options.prefix) { print(key, terminator: "\0") }
    return 0
  }

  private static func keys(_ root: String) -> [String] {
    let plain = [
      "https://img.example/a b.jpg", "https://img.example/c.png?w=1&h=2", "it's \"$HOME\" `x`",
      "only:one:of=us", "pair one", "pair&two", "-dash", "tab\there", "zwei\nlines", "back\\slash",
      "~tilde", "snow ☃",
    ]
    return root.isEmpty ? plain : ["root=\(root)"]
  }
}

/// Writes the tool's man pages into a directory.
struct Pages: Sendable {
  var directory: [UInt8] = []

  static let command = Command<Global>("__pages", "write pages", Pages(), hidden: true) {
    Argument("DIR", \.directory, value: .path("DIR", completes: .directory), help: "where to")
  } run: { _, options in
    for page in tool.manPages() {
      let path = String(decoding: options.directory, as: UTF8.self) + "/" + page.file
      guard let file = fopen(path, "w") else { return 1 }
      fputs(page.text, file)
      fclose(file)
    }
    return 0
  }
}

/// Prints what is wrong with the table.
struct Problems: Sendable {
  static let command = Command<Global>("__problems", "check", Problems(), hidden: true) {
  } run: { _, _ in
    for problem in tool.problems() { print(problem) }
    return 0
  }
}
