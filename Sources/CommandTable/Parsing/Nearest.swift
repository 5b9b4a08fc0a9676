/// The candidate a mistyped word was most likely meant to be, or nil where none is near.
///
/// A word is near if at most a third of it differs, or if it is the beginning of just one candidate.
func nearest(to word: String, among candidates: [String]) -> String? {
  let begun = candidates.filter { word.utf8.count >= 2 && $0.hasPrefix(word) }
  if begun.count == 1 { return begun[0] }
  // A word of a thousand bytes is no typing mistake, and the distance takes time n².
  guard (1...64).contains(word.utf8.count) else { return nil }
  let limit = max(1, word.utf8.count / 3)
  let ranked = candidates.map { (distance: distance(word, $0), word: $0) }
  return ranked.filter { $0.distance <= limit && $0.distance < $0.word.utf8.count }
    .min { rank($0, word) < rank($1, word) }?.word
}

/// Of two words equally near, the one with the same first letter: that is seldom mistyped.
private func rank(_ near: (distance: Int, word: String), _ typed: String) -> (Int, Int, String) {
  (near.distance, near.word.first == typed.first ? 0 : 1, near.word)
}

/// The number of bytes to insert, delete, replace or swap with their neighbour (optimal string
/// alignment; Damerau 1964).
func distance(_ a: String, _ b: String) -> Int {
  let (a, b) = (Array(a.utf8), Array(b.utf8))
  var before: [Int] = []
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
      row.append(best)
    }
    before = last
    last = row
  }
  return last[b.count]
}
