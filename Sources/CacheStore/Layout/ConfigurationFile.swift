internal import CSimdJSON
internal import CacheModel

/// cachectl.json: one flat object.
enum ConfigurationFile {
  /// A configuration is a few hundred bytes; more is somebody else's file.
  static let largest = 1 << 16

  /// Reads the text; throws the reason where it is no cache's.
  static func parse(_ text: String) throws(Rejected) -> Configuration {
    let reader = JSONReader()
    let parsed = reader.withMembers(of: text) { members -> Result<Configuration, Rejected> in
      var draft = Configuration(layout: 0)
      for member in members {
        if let bad = take(member, into: &draft) { return .failure(bad) }
      }
      return .success(draft)
    }
    guard let parsed else { throw Rejected("cachectl.json is not a JSON object") }
    let configuration = try parsed.get()
    guard configuration.layout > 0 else {
      throw Rejected("cachectl.json has no layout number (\"cachectl\": 1)")
    }
    return configuration
  }

  struct Rejected: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
  }

  private static func take(
    _ member: cachectl_json_member, into draft: inout Configuration
  ) -> Rejected? {
    let name = member.nameValue
    guard let setting = settings.first(where: { $0.name == name }) else {
      draft.others.append(OriginRecord.Member(name: name, json: member.jsonValue))
      return nil
    }
    if setting.take(member, &draft) { return nil }
    return Rejected("cachectl.json: \"\(name)\" cannot be \(member.jsonValue)")
  }

  /// The text that `parse` reads, with a newline.
  static func text(of configuration: Configuration) -> String {
    var json = JSONText()
    json.beginObject()
    for setting in settings {
      guard let value = setting.json(configuration) else { continue }
      json.name(setting.name)
      json.value(json: value.utf8)
    }
    for other in configuration.others {
      json.name(other.name)
      json.value(json: other.json.utf8)
    }
    json.endObject()
    json.endLine()
    return json.text
  }

  /// One member of the file.
  private struct Setting {
    let name: String
    let take: @Sendable (cachectl_json_member, inout Configuration) -> Bool
    let json: @Sendable (Configuration) -> String?
  }

  private static let settings: [Setting] = [
    count("cachectl", { $0.layout }, { $0.layout = $1 }),
    word(
      "id", { $0.identity.isEmpty ? nil : $0.identity },
      { draft, id in
        draft.identity = id
        return ContentHash(id) != nil
      }),
    word("shared", { $0.sharing.rawValue }, { Sharing(rawValue: $1).assign(&$0.sharing) }),
    Setting(
      name: "durable",
      take: { member, draft in
        draft.isDurable = member.kind == CACHECTL_JSON_TRUE
        return draft.isDurable || member.kind == CACHECTL_JSON_FALSE
      }, json: { $0.isDurable ? "true" : "false" }),
    count("max_bytes", { $0.budget.maxBytes?.bytes }, { $0.budget.maxBytes = ByteCount($1) }),
    count("max_count", { $0.budget.maxCount }, { $0.budget.maxCount = $1 }),
    count("max_cost", { $0.budget.maxCost }, { $0.budget.maxCost = $1 }),
    duration("max_age_ms", \.budget.maxAge),
    count("min_free_bytes", { amount($0.budget.minFree) }, { $0.budget.minFree = .amount($1) }),
    percent("min_free_percent", { percentage($0.budget.minFree) }) {
      $0.budget.minFree = .percent($1)
    },
    count("min_free_inodes", { amount($0.budget.minFreeInodes) }) {
      $0.budget.minFreeInodes = .amount($1)
    },
    percent("min_free_inodes_percent", { percentage($0.budget.minFreeInodes) }) {
      $0.budget.minFreeInodes = .percent($1)
    },
    percent("target_percent", { $0.budget.target == 100 ? nil : $0.budget.target }) {
      $0.budget.target = max($1, 1)
    },
    word(
      "measure", { $0.budget.measure == .bytes ? nil : $0.budget.measure.rawValue },
      { Budget.Measure(rawValue: $1).assign(&$0.budget.measure) }),
    count("grace_ms", { $0.budget.grace == .zero ? nil : $0.budget.grace.wholeMilliseconds }) {
      $0.budget.grace = .milliseconds($1)
    },
    word(
      "audience", { $0.audience == .one ? nil : $0.audience.rawValue },
      { Audience(rawValue: $1).assign(&$0.audience) }),
    word(
      "allow_net", { $0.networks.isEmpty ? nil : $0.networks.joined(separator: " ") },
      { draft, text in
        draft.networks = text.split(separator: " ").map(String.init)
        return text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x5c }
      }),
  ]

  private static func amount(_ share: Budget.Share?) -> Int64? {
    if case .amount(let amount) = share { amount } else { nil }
  }

  private static func percentage(_ share: Budget.Share?) -> Int? {
    if case .percent(let percent) = share { percent } else { nil }
  }

  private static func count(
    _ name: String, _ get: @escaping @Sendable (Configuration) -> Int64?,
    _ set: @escaping @Sendable (inout Configuration, Int64) -> Void
  ) -> Setting {
    Setting(
      name: name,
      take: { member, draft in
        guard let value = member.countValue else { return false }
        set(&draft, value)
        return true
      }, json: { get($0).map { String($0) } })
  }

  private static func percent(
    _ name: String, _ get: @escaping @Sendable (Configuration) -> Int?,
    _ set: @escaping @Sendable (inout Configuration, Int) -> Void
  ) -> Setting {
    Setting(
      name: name,
      take: { member, draft in
        guard let value = member.countValue, value <= 100 else { return false }
        set(&draft, Int(value))
        return true
      }, json: { get($0).map { String($0) } })
  }

  private static func duration(
    _ name: String, _ path: any WritableKeyPath<Configuration, Duration?> & Sendable
  ) -> Setting {
    count(
      name, { $0[keyPath: path]?.wholeMilliseconds }, { $0[keyPath: path] = .milliseconds($1) })
  }

  private static func word(
    _ name: String, _ get: @escaping @Sendable (Configuration) -> String?,
    _ set: @escaping @Sendable (inout Configuration, String) -> Bool
  ) -> Setting {
    Setting(
      name: name,
      take: { member, draft in member.stringValue.map { set(&draft, $0) } ?? false },
      json: { get($0).map { "\"\($0)\"" } })
  }
}

extension Optional {
  /// Puts the value, where there is one, into `slot`; says whether there was.
  fileprivate func assign(_ slot: inout Wrapped) -> Bool {
    guard let self else { return false }
    slot = self
    return true
  }
}
