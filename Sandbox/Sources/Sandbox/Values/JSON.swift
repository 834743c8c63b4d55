import FoundationEssentials

/// A JSON value.
indirect enum JSON: Sendable, Hashable {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  /// Reads one JSON document, or nothing when the bytes are not JSON.
  init?(parsing bytes: some Sequence<UInt8>) {
    guard let value = try? JSONDecoder().decode(JSON.self, from: Data(bytes)) else { return nil }
    self = value
  }

  /// The document in compact form, members in the order of their names.
  var bytes: [UInt8] { encoded(with: [.sortedKeys, .withoutEscapingSlashes]) }

  /// The document indented, for people.
  var pretty: String {
    let bytes = encoded(with: [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted])
    return String(decoding: bytes, as: UTF8.self)
  }

  subscript(member: String) -> JSON? { object?[member] }

  var string: String? { if case .string(let value) = self { value } else { nil } }
  var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  var array: [JSON]? { if case .array(let value) = self { value } else { nil } }
  var object: [String: JSON]? { if case .object(let value) = self { value } else { nil } }

  var int: Int? {
    switch self {
    case .int(let value): value
    case .double(let value): Int(exactly: value.rounded(.down))
    default: nil
    }
  }

  /// The members of an array whose every element is a string.
  var strings: [String]? {
    guard let array else { return nil }
    let values = array.compactMap(\.string)
    return values.count == array.count ? values : nil
  }

  /// An array of strings.
  static func list(_ values: some Sequence<String>) -> JSON { .array(values.map(JSON.string)) }

  private func encoded(with formatting: JSONEncoder.OutputFormatting) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    return (try? encoder.encode(self)).map(Array.init) ?? Array("null".utf8)
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral value: String) { self = .string(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(integerLiteral value: Int) { self = .int(value) }
  init(arrayLiteral elements: JSON...) { self = .array(elements) }
  init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(elements) { _, last in last })
  }
}

extension JSON: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .int(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}
