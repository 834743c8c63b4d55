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
}

extension JSON {
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
}

extension JSON {
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

extension JSON {
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
}
