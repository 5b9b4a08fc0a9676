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
  var plan: [UInt8]?
  var apply: [UInt8]?
  var idleIO = false

  static let command = Command<Global>(
    "gc", "evict the least recently used until every budget holds", GC(),
    page: Page(
      description: """
        Removes entries, the one that was used longest ago first, until every limit holds, and proves it: the report is of what is on disk afterwards. Without a limit, the cache's own policy (`init`, `config`) is the budget.

        The last use of an entry is the later of its record's and its object's modification time, and never later than now. Equal times go by name. An entry that alone is more than a byte or cost limit allows goes before all others, since keeping it would cost the rest of the cache and then it as well.

        Only regular files with an entry's name below `objects/` are ever removed, each looked at again first with its shard locked: what was used or replaced since the plan stays. Removing needs no free byte. The threads that remove let other programs go first on the processors, as by `nice`.
        """,
      examples: [
        Example("cachectl gc --max-mb 200", "200,000,000 bytes at most"),
        Example("cachectl gc --max-size 2GiB --max-age 30d --dry-run", "what would go, and why"),
        Example("cachectl gc --min-free 10% --wait 5m", "from cron, beside another run"),
      ],
      files: [
        Term("state/gc.lock", "who is evicting just now"),
        Term(
          "state/evictions.jsonl",
          "who was evicted, when, and by which limit; bounded to 16 MiB, the rest of a run that evicts more is left out"
        ),
      ])
  ) {
    Group(\.budget) { BudgetOptions.rows() }
    Switch(
      "dry-run", short: "n", \.dryRun, help: "print every victim; take no lock, change nothing")
    Switch("full", \.full, help: "look at every object and repair the index")
    Option("wait", \.wait, value: .duration(), help: "wait this long for another gc to end")
    Option(
      "plan", \.plan, value: .path("FILE"),
      help: "save the plan for --apply; change nothing")
    Option(
      "apply", \.apply, value: .path("FILE"),
      help: "carry out a saved plan, each line checked again",
      details:
        "An entry that was used or replaced since the plan was made stays, and the report says so. A plan of another cache or layout, or one that is cut off, is refused."
    )
    Option(
      "rate", \.rate, value: .number("N", in: 1...1_000_000_000),
      help: "removals per second at most")
    Switch("idle-io", \.idleIO, help: "let all other disk I/O go first (ioprio_set(2))")
    Rule.atMostOne("--plan", "--apply")
    Rule.atMostOne("--dry-run", "--apply")
    Rule.atMostOne("--full", "--apply")
  } run: { global, options in
    Session.run(global, "gc") { session throws(Session.Failure) in try options.run(session) }
  }

  private func run(_ session: Session) throws(Session.Failure) -> Verdict {
    // A refusal changes nothing but the pace.
    if idleIO { try? IOPriority.giveWay() }
    if let apply = try session.path(apply, "--apply") { return try run(session, plan: apply) }
    let isPreview = dryRun || plan != nil
    let store = try session.open(for: isPreview ? .reading : .writing)
    let budget = budget.budget(policy: store.configuration.budget)
    guard budget.hasLimit else {
      throw Session.Failure(
        .usage, "no budget: give --max-mb N or another limit, or set the cache's own with config")
    }
    let run = EvictionRun(session, store, budget, isFull: full, rate: rate)
    if isPreview {
      return try run.preview(savingTo: session.path(plan, "--plan")).verdict
    }
    let lock = try lock(store)
    return try run.apply(holding: lock).verdict
  }

  private func run(_ session: Session, plan: String) throws(Session.Failure) -> Verdict {
    guard !budget.hasLimit else {
      throw Session.Failure(.usage, "--apply carries out a plan as it is: give no limit with it")
    }
    let store = try session.open(for: .writing)
    let lock = try lock(store)
    return try EvictionRun(session, store, Budget(), isFull: false, rate: rate)
      .apply(plan: plan, holding: lock).verdict
  }

  private func lock(_ store: Store) throws(Session.Failure) -> RunLock {
    do {
      return try RunLock(.gc, of: store, waiting: wait, command: "cachectl gc")
    } catch { throw Session.Failure(error) }
  }
}
