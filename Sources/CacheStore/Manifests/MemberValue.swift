internal import CSimdJSON
public import CacheModel

extension OriginRecord.Member {
  /// A member with a text.
  public init(_ name: String, _ text: String) {
    var json = JSONText()
    json.value(text)
    self.init(name: name, json: json.text)
  }

  /// A member with a number.
  public init(_ name: String, _ number: Int64) { self.init(name: name, json: String(number)) }

  /// A member with a truth.
  public init(_ name: String, _ truth: Bool) {
    self.init(name: name, json: truth ? "true" : "false")
  }

  /// The value where it is a text.
  public var text: String? { value { $0.stringValue } }

  /// The value where it is a whole number of 64 bits.
  public var number: Int64? { value { $0.integerValue } }

  /// The value where it is a truth.
  public var truth: Bool? { ["true": true, "false": false][json] }

  private func value<Value>(_ body: (cachectl_json_member) -> Value?) -> Value? {
    JSONReader().withMembers(of: "{\"value\":\(json)}") { $0.first.flatMap(body) } ?? nil
  }
}

extension [OriginRecord.Member] {
  /// The member of a name; nil where there is none.
  public subscript(name: String) -> OriginRecord.Member? { first { $0.name == name } }
}
