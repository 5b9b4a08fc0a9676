internal import CacheModel

// Selecting without sorting: Hoare's quickselect ("Find", CACM 4(7), 1961), which touches each
// candidate about three times where a sort would touch it twenty times. Pivots are drawn at random:
// whatever order the candidates come in, and whoever arranged it, no split is likely to be a bad one.

extension UnsafeMutableBufferPointer<Candidate> {
  /// Moves the `count` candidates that go first to the front, in no order.
  func partition(smallest count: Int) {
    var low = 0
    var high = self.count
    var draws = PivotDraws()
    while low < count, count < high {
      let middle = split(low, high, &draws)
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
    var draws = PivotDraws()
    while low < high, missing > 0 {
      let middle = split(low, high, &draws)
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

  /// Splits a range by one of its keys: smaller ones, that one, larger ones.
  ///
  /// Keys are unique but for an entry offered twice, so that one place is enough.
  private func split(_ low: Int, _ high: Int, _ draws: inout PivotDraws) -> (
    lower: Int, upper: Int
  ) {
    swapAt(low, medianOfThree(low..<high, &draws))
    let pivot = self[low].key
    var lower = low
    for index in low + 1..<Swift.max(high, low + 1) where self[index].key < pivot {
      lower += 1
      swapAt(lower, index)
    }
    swapAt(low, lower)
    return (lower, lower + 1)
  }

  private func medianOfThree(_ range: Range<Int>, _ draws: inout PivotDraws) -> Int {
    let places = (draws.next(in: range), draws.next(in: range), draws.next(in: range))
    let (a, b, c) = (self[places.0].key, self[places.1].key, self[places.2].key)
    if a < b { return b < c ? places.1 : (a < c ? places.2 : places.0) }
    return a < c ? places.0 : (b < c ? places.2 : places.1)
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

/// Where pivots are taken: Steele's, Lea's and Flood's SplitMix64 (OOPSLA 2014), the same sequence
/// each time, so that a run can be repeated.
private struct PivotDraws {
  private var state: UInt64 = 0x9e37_79b9_7f4a_7c15

  mutating func next(in range: Range<Int>) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    let spread = (mixed ^ (mixed >> 31)).multipliedFullWidth(by: UInt64(range.count)).high
    return range.lowerBound + Int(spread)
  }
}
