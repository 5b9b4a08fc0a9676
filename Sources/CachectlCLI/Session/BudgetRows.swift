internal import CacheModel
internal import CommandTable

/// The limits as a person types them: nil where not given, so that a policy can stand in.
struct BudgetOptions: Sendable {
  var maxMB: ByteCount?
  var maxSize: ByteCount?
  var maxCount: Int64?
  var maxCost: Int64?
  var maxAge: Duration?
  var minFree: Budget.Share?
  var minFreeInodes: Budget.Share?
  var target: Int?
  var measure: Budget.Measure?
  var grace: Duration?

  /// Whether any limit was given.
  var hasLimit: Bool {
    maxMB != nil || maxSize != nil || maxCount != nil || maxCost != nil || maxAge != nil
      || minFree != nil || minFreeInodes != nil
  }

  /// The budget of a run: limits given replace the policy's limits all together, so that a command
  /// line says the whole of what it does; how they are applied is taken over one by one.
  func budget(policy: Budget) -> Budget {
    var budget = hasLimit ? Budget() : policy
    budget.target = target ?? policy.target
    budget.measure = measure ?? policy.measure
    budget.grace = grace ?? policy.grace
    set(&budget)
    return budget
  }

  /// Puts every option that was given into `budget`.
  func set(_ budget: inout Budget) {
    budget.maxBytes = maxMB ?? maxSize ?? budget.maxBytes
    budget.maxCount = maxCount ?? budget.maxCount
    budget.maxCost = maxCost ?? budget.maxCost
    budget.maxAge = maxAge ?? budget.maxAge
    budget.minFree = minFree ?? budget.minFree
    budget.minFreeInodes = minFreeInodes ?? budget.minFreeInodes
    budget.target = target ?? budget.target
    budget.measure = measure ?? budget.measure
    budget.grace = grace ?? budget.grace
  }

  /// One row a limit, for `gc`, which keeps them, and `init`, which makes them the policy.
  @RowBuilder<BudgetOptions>
  static func rows() -> [Row<BudgetOptions>] {
    Option("max-mb", \.maxMB, value: .megabytes(), help: "N × 1,000,000 bytes at most")
    Option("max-size", \.maxSize, value: .size(), help: "bytes at most: 200MB, 1.5GB, 512MiB")
    Option(
      "max-count", \.maxCount, value: .number("N"), help: "entries at most; 0 empties the cache")
    Option("max-cost", \.maxCost, value: .number("N"), help: "sum of costs at most")
    Option("max-age", \.maxAge, value: .duration(), help: "evict what was last used longer ago")
    Option(
      "min-free", \.minFree, value: .sizeOrShare(), help: "keep this much of the file system free")
    Option(
      "min-free-inodes", \.minFreeInodes, value: .countOrShare(),
      help: "keep this many inodes of the file system free")
    Option(
      "target", \.target, value: .wholePercent(),
      help: "when over a limit, go down to this share of it")
    Option("measure", \.measure, value: .oneOf(measures), help: "what counts as an entry's bytes")
    Option("grace", \.grace, value: .duration(), help: "never evict what was used this recently")
    Rule.atMostOne("--max-mb", "--max-size")
  }

  private static let measures: [(word: String, value: Budget.Measure, help: String)] = [
    ("bytes", .bytes, "the length of its object"),
    ("disk", .disk, "allocated blocks, an inode with several names once"),
  ]
}
