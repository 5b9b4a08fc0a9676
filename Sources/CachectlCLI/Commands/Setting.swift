internal import CacheModel
internal import CachePlan
internal import CommandTable

/// One setting of cachectl.json, as `config` reads, shows and changes it.
struct Setting: Sendable {
  let name: String
  let help: String
  /// The value as it is typed; nil where there is none.
  let text: @Sendable (Configuration) -> String?
  /// Writes the value as a member.
  let write: @Sendable (Configuration, String, inout JSONText) -> Void
  /// Changes the value; nil where only `init` sets it.
  let set: (@Sendable (inout Configuration, String) throws(ValueError) -> Void)?

  /// Every setting, in the order in which they are shown.
  static let all: [Setting] = [
    Setting(
      name: "shared", help: "who may use the cache; set by init",
      text: { $0.sharing.rawValue }, write: { $2.member($1, $0.sharing.rawValue) }, set: nil),
    Setting(
      name: "durable", help: "whether a store waits for the disk: true or false",
      text: { $0.isDurable ? "true" : "false" }, write: { $2.member($1, $0.isDurable) },
      set: { (configuration, text) throws(ValueError) in
        configuration.isDurable = try Value.oneOf(truths).parse(Array(text.utf8))
      }),
    number("max-size", "bytes at most", \.maxBytes, .size()) { $0.bytes },
    number("max-count", "entries at most", \.maxCount, .number("N")) { $0 },
    number("max-cost", "sum of costs at most", \.maxCost, .number("N")) { $0 },
    limit(
      "max-age", "evict what was last used longer ago", \.maxAge, .duration(), text: \.typed
    ) { $2.member($1, $0.wholeMilliseconds / 1000) },
    share("min-free", "keep this much of the file system free", \.minFree, .sizeOrShare()),
    share(
      "min-free-inodes", "keep this many inodes free", \.minFreeInodes, .countOrShare()),
    plain("target", "go down to this share of a limit", \.target, 100, .wholePercent()) {
      String($0)
    } write: {
      $2.member($1, $0)
    },
    plain("measure", "what counts as bytes", \.measure, .bytes, .oneOf(Budget.Measure.self)) {
      $0.rawValue
    } write: {
      $2.member($1, $0.rawValue)
    },
    plain("grace", "never evict what was used this recently", \.grace, .zero, .duration()) {
      $0.typed
    } write: {
      $2.member($1, $0.wholeMilliseconds / 1000)
    },
    Setting(
      name: "audience", help: "whose requests it answers: one user's (private) or many's (shared)",
      text: { $0.audience.rawValue }, write: { $2.member($1, $0.audience.rawValue) },
      set: { (configuration, text) throws(ValueError) in
        configuration.audience =
          text == none ? .one : try Value.oneOf(Audience.self).parse(Array(text.utf8))
      }),
    Setting(
      name: "allow-net", help: "private networks that origins may lie in, with blanks between",
      text: { $0.networks.isEmpty ? nil : $0.networks.joined(separator: " ") },
      write: { $2.member($1, $0.networks.joined(separator: " ")) },
      set: { (configuration, text) throws(ValueError) in
        let words = text == none ? [] : text.split(separator: " ").map(String.init)
        for word in words { _ = try Value<HTTPNetwork>.network().parse(Array(word.utf8)) }
        configuration.networks = words
      }),
  ]

  /// The word that takes a limit away.
  static let none = "none"

  /// Writes all settings as members of `settings`; a limit that is not set is null.
  static func write(_ configuration: Configuration, to json: inout JSONText) {
    json.object("settings") { json in
      for setting in all {
        let member = setting.name.replacing("-", with: "_")
        if setting.text(configuration) == nil {
          json.member(member, nil as String?)
        } else {
          setting.write(configuration, member, &json)
        }
      }
    }
  }

  private static let truths = [("true", true, ""), ("false", false, "")].map {
    (word: $0.0, value: $0.1, help: $0.2)
  }
}

// How the settings of each kind are put together.
extension Setting {
  /// A limit, which may be taken away.
  private static func limit<T>(
    _ name: String, _ help: String, _ property: Property<Budget, T?>, _ value: Value<T>,
    text: @escaping @Sendable (T) -> String,
    write: @escaping @Sendable (T, String, inout JSONText) -> Void
  ) -> Setting {
    Setting(
      name: name, help: help, text: { $0.budget[keyPath: property].map(text) },
      write: { configuration, name, json in
        if let value = configuration.budget[keyPath: property] { write(value, name, &json) }
      },
      set: { (configuration, text) throws(ValueError) in
        configuration.budget[keyPath: property] =
          text == none ? nil : try value.parse(Array(text.utf8))
      })
  }

  private static func number<T>(
    _ name: String, _ help: String, _ property: Property<Budget, T?>, _ value: Value<T>,
    _ number: @escaping @Sendable (T) -> Int64
  ) -> Setting {
    limit(name, help, property, value, text: { String(number($0)) }) { $2.member($1, number($0)) }
  }

  private static func share(
    _ name: String, _ help: String, _ property: Property<Budget, Budget.Share?>,
    _ value: Value<Budget.Share>
  ) -> Setting {
    limit(name, help, property, value, text: \.typed) { share, name, json in
      switch share {
      case .amount(let amount): json.member(name, amount)
      case .percent: json.member(name, share.typed)
      }
    }
  }

  /// A setting that always has a value; taking it away brings back the first one.
  private static func plain<T>(
    _ name: String, _ help: String, _ property: Property<Budget, T>, _ first: T,
    _ value: Value<T>, text: @escaping @Sendable (T) -> String,
    write: @escaping @Sendable (T, String, inout JSONText) -> Void
  ) -> Setting {
    Setting(
      name: name, help: help, text: { text($0.budget[keyPath: property]) },
      write: { write($0.budget[keyPath: property], $1, &$2) },
      set: { (configuration, text) throws(ValueError) in
        configuration.budget[keyPath: property] =
          text == none ? first : try value.parse(Array(text.utf8))
      })
  }
}

extension Budget.Share {
  /// As it is typed.
  fileprivate var typed: String {
    switch self {
    case .amount(let amount): String(amount)
    case .percent(let percent): "\(percent)%"
    }
  }
}

extension Duration {
  /// As it is typed: whole seconds, in the largest unit that leaves no rest.
  fileprivate var typed: String {
    let seconds = wholeMilliseconds / 1000
    let units: [(name: String, seconds: Int64)] = [
      ("w", 604_800), ("d", 86_400), ("h", 3600), ("m", 60),
    ]
    let unit = units.first { seconds >= $0.seconds && seconds % $0.seconds == 0 } ?? ("s", 1)
    return "\(seconds / unit.seconds)\(unit.name)"
  }
}
