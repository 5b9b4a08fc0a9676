/// The words after a tool's name in a line for a shell, up to a pipe, a redirection or the like.
///
/// Quotes are undone and nothing is expanded. Nil where the line does not run the tool.
func shellWords(_ line: String, of tool: String) -> [String]? {
  var words: [String] = []
  var word: String?
  var quote: Character?
  var isEscaped = false
  for sign in line + " " {
    if isEscaped {
      word = (word ?? "") + String(sign)
      isEscaped = false
    } else if sign == "\\", quote != "'" {
      isEscaped = true
    } else if sign == quote {
      quote = nil
    } else if quote == nil, sign == "'" || sign == "\"" {
      (quote, word) = (sign, word ?? "")
    } else if quote == nil, " |<>;&()".contains(sign) {
      if let word { words.append(word) }
      word = nil
      if sign != " ", words.contains(tool) { break }
    } else {
      word = (word ?? "") + String(sign)
    }
  }
  guard let name = words.firstIndex(of: tool) else { return nil }
  return Array(words[(name + 1)...])
}
