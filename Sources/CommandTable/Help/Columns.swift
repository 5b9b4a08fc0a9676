/// Two columns: what is typed, and what it means.
struct Columns {
  var rows: [(typed: String, meaning: [String])] = []

  /// No first column is wider than this; a longer text has its meaning on the next line.
  static let widest = 28
  static let screen = 80

  /// The lines, each meaning wrapped to the screen.
  var lines: [String] {
    let fitting = rows.map(\.typed.count).filter { $0 <= Columns.widest }
    let indent = (fitting.max() ?? 0) + 4
    return rows.flatMap { row in
      var texts = row.meaning.flatMap { wrapped($0.plain, width: Columns.screen - indent) }
      let typed = "  " + row.typed
      if texts.isEmpty { return [typed] }
      let first = typed.count + 2 <= indent ? typed.padded(to: indent) + texts.removeFirst() : typed
      return [first] + texts.map { String(repeating: " ", count: indent) + $0 }
    }
  }
}
