internal import CacheModel
internal import CachePlan
internal import CacheStore
internal import CommandTable

/// `gc`: brings the cache inside its budget.
struct GC: Sendable {
  var budget = BudgetOptions()
  var dryRun = false
  var full = false
  var wait = Duration.zero
  var rate: Int64?

  static let command = Command<Global>(
    "gc", "evict the least recently used until every budget holds", GC(),
    page: Page(
      description: """
        Removes entries, the one that was used longest ago first, until every limit holds, and proves it: the report is of what is on disk afterwards. Without a limit, the cache's own policy (`init`, `config`) is the budget.

        The last use of an entry is the later of its record's and its object's modification time, and never later than now. Equal times go by name. An entry that alone is more than a byte or cost limit allows goes before all others, since keeping it would cost the rest of the cache and then it as well.

        Only regular files with an entry's name below `objects/` are ever removed, each looked at again first with its shard locked: what was used or replaced since the plan stays. Removing needs no free byte.
        """,
      examples: [
        Example("cachectl gc --max-mb 200", "200,000,000 bytes at most"),
        Example("cachectl gc --max-size 2GiB --max-age 30d --dry-run", "what would go, and why"),
        Example("cachectl gc --min-free 10% --wait 5m", "from cron, beside another run"),
      ],
      files: [
        Term("state/gc.lock", "who is evicting just now"),
        Term("state/evictions.jsonl", "who was evicted, when, and by which limit; bounded"),
      ])
  ) {
    Group(\.budget) { BudgetOptions.rows() }
    Switch("dry-run", short: "n", \.dryRun, help: "print every victim; take no lock, change nothing")
    Switch("full", \.full, help: "look at every object; say what the index had wrong and repair it")
    Option("wait", \.wait, value: .duration(), help: "wait this long for another gc to end")
    Option("rate", \.rate, value: .number("N", in: 1...1_000_000_000), help: "removals per second at most")
  } run: { global, options in
    Session.run(global, "gc") { session throws(Session.Failure) in try options.run(session) }
  }

  private func run(_ session: Session) throws(Session.Failure) -> Verdict {
    let store = try session.open(for: dryRun ? .reading : .writing)
    let budget = budget.budget(policy: store.configuration.budget)
    guard budget.hasLimit else {
      throw Session.Failure(
        .usage, "no budget: give --max-mb N or another limit, or set the cache's own with config")
    }
    let run = EvictionRun(session, store, budget, isFull: full, rate: rate)
    if dryRun { return try run.preview().verdict }
    let lock: RunLock
    do {
      lock = try RunLock(.gc, of: store, waiting: wait, command: "cachectl gc")
    } catch { throw Session.Failure(error) }
    return try run.apply(holding: lock).verdict
  }
}
