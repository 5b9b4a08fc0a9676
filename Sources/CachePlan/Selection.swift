internal import CacheModel

// Selecting without sorting: Hoare's quickselect ("Find", CACM 4(7), 1961), which touches each
// candidate about three times where a sort would touch it twenty times.

extension UnsafeMutableBufferPointer<Candidate> {
  /// Moves the `count` candidates that go first to the front, in no order.
  func partition(smallest count: Int) {
    var low = 0
    var high = self.count
    while low < count, count < high {
      let middle = split(low, high)
      if count < middle.lower { high = middle.lower } else { low = middle.upper }
      if count >= middle.lower, count <= middle.upper { return }
    }
  }

  /// Moves to the front the fewest candidates, in order of eviction, whose weights reach `amount`;
  /// returns how many that are: all of them where even these do not reach it.
  func partition(reaching amount: Int128, weight: (Candidate) -> Int128) -> Int {
    var low = 0
    var high = count
    var missing = amount
    while low < high, missing > 0 {
      let middle = split(low, high)
      let before = self[low..<middle.lower].reduce(Int128(0)) { $0 + weight($1) }
      if before >= missing {
        high = middle.lower
        continue
      }
      missing -= before
      let pivot = weight(self[middle.lower])
      if pivot >= missing { return middle.lower + 1 }
      missing -= pivot
      low = middle.upper
    }
    return low
  }

  /// Splits a range by one of its keys: smaller ones, that one, larger ones. Keys are unique but for
  /// an entry offered twice, so that one place is enough.
  private func split(_ low: Int, _ high: Int) -> (lower: Int, upper: Int) {
    swapAt(low, medianOfThree(low, high))
    let pivot = self[low].key
    var lower = low
    for index in low + 1..<Swift.max(high, low + 1) where self[index].key < pivot {
      lower += 1
      swapAt(lower, index)
    }
    swapAt(low, lower)
    return (lower, lower + 1)
  }

  private func medianOfThree(_ low: Int, _ high: Int) -> Int {
    let middle = low + (high - low) / 2
    let (a, b, c) = (self[low].key, self[middle].key, self[high - 1].key)
    if a < b { return b < c ? middle : (a < c ? high - 1 : low) }
    return a < c ? low : (b < c ? high - 1 : middle)
  }

  /// Moves the candidates that fulfil `condition` to the front; returns how many they are.
  func gather(where condition: (Candidate) -> Bool) -> Int {
    var front = 0
    for index in indices where condition(self[index]) {
      swapAt(front, index)
      front += 1
    }
    return front
  }
}
