public import Primitives

/// A JSON value (RFC 8259).
///
/// The module reads untrusted documents from disk and from the network: it reports
/// where a document is malformed, refuses repeated member names and limits the depth.
/// Numbers keep their spelling, so a document that is read and written again
/// loses nothing. Strings and member names are compared as their bytes.
public enum JSON: Sendable, Hashable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSON])
  case object(JSONObject)

  /// Compares strings as their bytes (RFC 8259 section 8.3) and numbers by their spelling.
  public static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): sameIdentifier(left, right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    case .string(let value): hasher.combine(Identifier(value))
    case .array(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    }
  }

  /// A text, or null without one.
  public init(_ text: String?) { self = text.map { .string($0) } ?? .null }

  /// The text, when this is a string.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The value, when this is a whole number that fits.
  public var int: Int64? {
    if case .number(let value) = self { value.int } else { nil }
  }

  /// The instant, when this is a whole number of seconds since 1970 (NumericDate, RFC 7519).
  public var time: Timestamp? { int.map { Timestamp($0) } }

  /// The value, when this is a number.
  public var double: Double? {
    if case .number(let value) = self { value.double } else { nil }
  }

  /// The value, when this is `true` or `false`.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The elements, when this is an array.
  public var array: [JSON]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The members, when this is an object.
  public var object: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The elements, when this is an array of strings only.
  public var strings: [String]? {
    guard let array else { return nil }
    let texts = array.compactMap(\.string)
    return texts.count == array.count ? texts : nil
  }

  /// The member of that name; `nil` if it is absent or this is not an object.
  ///
  /// Setting a member of anything but an object replaces it by an object.
  public subscript(name: String) -> JSON? {
    get { object?[name] }
    set {
      var members = object ?? JSONObject()
      members[name] = newValue
      self = .object(members)
    }
  }

  /// The kind of the value, for messages.
  public var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// A number from an integer.
  public static func int(_ value: some FixedWidthInteger) -> JSON { .number(JSONNumber(value)) }

  /// A number from an instant: seconds since 1970 (NumericDate, RFC 7519).
  public static func time(_ value: Timestamp) -> JSON { .int(value.seconds) }

  /// An array of strings.
  public static func strings(_ values: some Sequence<String>) -> JSON {
    .array(values.map { .string($0) })
  }

  /// An object of the members whose value is not `nil`.
  public static func members(_ members: [String: JSON?]) -> JSON {
    .object(JSONObject(present: members))
  }

  /// Finds a value by a path of member names and indexes, separated by dots.
  ///
  /// A name may have dots itself, as claims with URLs as names and `@odata.nextLink` do.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - spelling: another spelling of a name that is looked for if the name is absent.
  /// - Returns: the value; `nil` if the path leads to no value.
  public func value(
    at path: some StringProtocol, orSpelled spelling: (String) -> String = { $0 }
  ) -> JSON? {
    if let value = element(String(path), spelling) { return value }
    for dot in path.utf8.indices where path.utf8[dot] == UInt8(ascii: ".") {
      let rest = path[path.utf8.index(after: dot)...]
      let first = element(String(path[..<dot]), spelling)
      if let value = first?.value(at: rest, orSpelled: spelling) { return value }
    }
    return nil
  }

  /// The path of a member of the object at a path, as ``value(at:orSpelled:)`` takes it.
  ///
  /// It is cut after 1,000 characters: one long name would be in the path of everything inside.
  package static func path(_ path: String, _ name: String) -> String {
    let whole = path.isEmpty ? name : "\(path).\(name)"
    if whole.utf8.count <= maximumPathLength { return whole }
    return "\(Substring(whole.unicodeScalars.prefix(maximumPathLength)))…"
  }

  private static let maximumPathLength = 1000

  private func element(_ name: String, _ spelling: (String) -> String) -> JSON? {
    switch self {
    case .object(let members): members[name] ?? members[spelling(name)]
    case .array(let elements):
      Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
    default: nil
    }
  }

  /// How a document is laid out.
  public enum Layout: Sendable {
    /// On one line, without white space.
    case compact
    /// Two spaces a level, for people, `diff` and git.
    case pretty
  }

  /// The document as text, with sorted member names and no final line break.
  public func serialized(_ layout: Layout = .compact) -> String {
    String(decoding: serializedBytes(layout), as: UTF8.self)
  }

  /// The same in UTF-8.
  public func serializedBytes(_ layout: Layout = .compact) -> [UInt8] {
    var writer = JSONWriter(layout)
    writer.write(self, depth: 0)
    return writer.bytes
  }
}

// Not by `nil`: in `isOn ? value : nil` it would be `null`, where the member is to be left out.
extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Makes a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Makes a number.
  public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
  /// Makes a boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Makes an array.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  /// Makes an object; of a repeated name the last value stays.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(JSONObject(elements))
  }
}

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
