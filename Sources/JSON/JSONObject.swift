import Primitives

/// The members of a JSON object, by name.
///
/// Names are compared as their bytes (RFC 8259 section 8.3), never by Unicode equivalence. A name
/// that differs in a byte is another member, which is neither found nor replaced.
public struct JSONObject: Sendable, Hashable {
  private var members: [Identifier: JSON]

  /// Makes an object without members.
  public init() { members = [:] }

  /// Makes an object of members; of a repeated name the last value stays.
  public init(_ members: some Sequence<(String, JSON)>) {
    self.members = Dictionary(
      members.map { (Identifier($0.0), $0.1) }, uniquingKeysWith: { $1 })
  }

  /// Makes an object of the members whose value is not `nil`.
  public init(present members: [String: JSON?]) {
    self.init(members.compactMap { name, value in value.map { (name, $0) } })
  }

  private init(members: [Identifier: JSON]) { self.members = members }

  /// The value of the member of that name; `nil` removes the member.
  public subscript(name: String) -> JSON? {
    get { members[Identifier(name)] }
    set { members[Identifier(name)] = newValue }
  }

  /// Whether the object has no members.
  public var isEmpty: Bool { members.isEmpty }

  /// The number of members.
  public var count: Int { members.count }

  /// The names of the members, in no order.
  public var keys: [String] { members.keys.map(\.text) }

  /// The values of the members, in no order.
  public var values: [JSON] { Array(members.values) }

  /// The members, sorted by the bytes of their names.
  public var sorted: [(key: String, value: JSON)] {
    members.sorted { $0.key < $1.key }.map { (key: $0.key.text, value: $0.value) }
  }

  /// Adds or replaces a member, and returns the value that it replaced.
  @discardableResult
  public mutating func updateValue(_ value: JSON, forKey name: String) -> JSON? {
    members.updateValue(value, forKey: Identifier(name))
  }

  /// The members that the condition holds for.
  public func filter(_ isIncluded: ((key: String, value: JSON)) -> Bool) -> JSONObject {
    JSONObject(members: members.filter { isIncluded((key: $0.key.text, value: $0.value)) })
  }

  /// The members of both objects; `combine` decides about a name that both have.
  public func merging(
    _ other: JSONObject, uniquingKeysWith combine: (JSON, JSON) -> JSON
  ) -> JSONObject {
    JSONObject(members: members.merging(other.members, uniquingKeysWith: combine))
  }

  /// Adds the members of the other object; `combine` decides about a name that both have.
  public mutating func merge(_ other: JSONObject, uniquingKeysWith combine: (JSON, JSON) -> JSON) {
    members.merge(other.members, uniquingKeysWith: combine)
  }
}

extension JSONObject: Sequence {
  /// Walks over the members, in no order.
  public func makeIterator() -> AnyIterator<(key: String, value: JSON)> {
    var iterator = members.makeIterator()
    return AnyIterator { iterator.next().map { (key: $0.key.text, value: $0.value) } }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Makes an object; of a repeated name the last value stays.
  public init(dictionaryLiteral elements: (String, JSON)...) { self.init(elements) }
}
