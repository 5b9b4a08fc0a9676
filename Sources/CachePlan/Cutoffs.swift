public import CacheModel

/// Up to where each limit reaches into the order of eviction: what a victim is laid at.
public struct Cutoffs: Sendable, Equatable {
  var keys: [(limit: Limit, last: Candidate.Key)] = []
  var ageCutoff: Instant?

  /// The first limit that still asked for something when the victim's turn came.
  public func limit(for victim: Candidate) -> Limit {
    if let ageCutoff, victim.lastUse < ageCutoff { return .maxAge }
    let key = victim.key
    return keys.first { key <= $0.last }?.limit ?? keys.last?.limit ?? .maxAge
  }

  /// Whether both reach equally far.
  public static func == (a: Cutoffs, b: Cutoffs) -> Bool {
    a.ageCutoff == b.ageCutoff && a.keys.elementsEqual(b.keys) { $0 == $1 }
  }
}

extension UnsafeMutableBufferPointer<Candidate> {
  /// Moves to the front what `demand` asks for; says how many, and up to where each limit reaches.
  func partition(_ demand: Demand) -> (count: Int, cutoffs: Cutoffs) {
    var cutoffs = Cutoffs(ageCutoff: demand.ageCutoff)
    var count = 0
    if let ageCutoff = demand.ageCutoff {
      count = gather { $0.lastUse < ageCutoff || $0.traits.contains(.oversized) }
    }
    for limit in Limit.allCases {
      guard let amount = demand.amounts[limit] else { continue }
      let reached = partition(reaching: amount) { demand.weight($0, for: limit) }
      guard let last = self[..<reached].lazy.map(\.key).max() else { continue }
      cutoffs.keys.append((limit, last))
      count = Swift.max(count, reached)
    }
    partition(smallest: count)
    return (count, cutoffs)
  }
}
