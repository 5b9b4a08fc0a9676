internal import CacheModel

// An entry that alone is more than a limit is brought down to goes first: kept, it would take the
// rest of the cache with it and then go too.

extension ScanRequest.Ceiling {
  /// What passes a limit by itself, so that the limit is passed for certain.
  init(limitsOf budget: Budget) {
    self.init()
    set(budget.maxBytes?.bytes, budget.maxCost, budget.measure)
  }

  /// What is more than a limit that asks for something is brought down to.
  init(goalsOf budget: Budget, asking demand: Demand) {
    self.init()
    func goal(_ most: Int64?, _ limit: Limit) -> Int64? {
      guard let most, demand.amounts[limit] != nil else { return nil }
      return Int64(Demand.goal(most, target: budget.target))
    }
    set(
      goal(budget.maxBytes?.bytes, .maxBytes), goal(budget.maxCost, .maxCost), budget.measure)
  }

  private mutating func set(_ bytes: Int64?, _ cost: Int64?, _ measure: Budget.Measure) {
    switch measure {
    case .bytes: self.bytes = bytes ?? .max
    case .disk: allocated = bytes ?? .max
    }
    self.cost = cost ?? .max
  }
}
