import CacheModel
import ImageCache

/// What a memory cache does, said in the plainest way: an array in the order of use, the oldest first.
struct MemoryModel {
  struct Held: Equatable {
    var key: Int
    var value: String
    var cost: Int64
  }

  var limits: MemoryLimits
  private(set) var held: [Held] = []
  private(set) var left: [String] = []

  init(_ limits: MemoryLimits) { self.limits = limits }

  private func excess(_ values: [Held]) -> MemoryDeparture? {
    if let count = limits.count, values.count > count { return .count }
    let costs = values.reduce(Int64(0)) { $0 + $1.cost }
    if let cost = limits.cost, costs > cost.bytes { return .cost }
    return nil
  }

  private mutating func leave(_ index: Int, _ why: MemoryDeparture) {
    let gone = held.remove(at: index)
    left.append("\(gone.key) \(gone.value) \(gone.cost) \(why)")
  }

  mutating func value(_ key: Int) -> String? {
    guard let index = held.firstIndex(where: { $0.key == key }) else { return nil }
    held.append(held.remove(at: index))
    return held.last?.value
  }

  mutating func insert(_ new: Held) -> Bool {
    if excess([new]) != nil {
      remove(new.key, .replaced)
      return false
    }
    let old = held.firstIndex { $0.key == new.key }.map { held.remove(at: $0) }
    while let why = excess(held + [new]) { leave(0, why) }
    if let old { left.append("\(old.key) \(old.value) \(old.cost) replaced") }
    held.append(new)
    return true
  }

  mutating func remove(_ key: Int, _ why: MemoryDeparture = .removed) {
    if let index = held.firstIndex(where: { $0.key == key }) { leave(index, why) }
  }

  mutating func removeAll(_ why: MemoryDeparture) { while !held.isEmpty { leave(0, why) } }

  mutating func limit(to new: MemoryLimits) {
    limits = new
    while let why = excess(held) { leave(0, why) }
  }
}
