import Primitives

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
    var reader = JSONReader(Array(bytes))
    guard let value = reader.document() else { return nil }
    self = value
  }

  /// The document in compact form, members in the order of their names.
  var bytes: [UInt8] { Array(text(indent: nil).utf8) }

  /// The document indented, for people.
  var pretty: String { text(indent: 0) }

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

  private func text(indent: Int?) -> String {
    let inner = indent.map { $0 + 2 }
    func line(_ indent: Int?) -> String {
      indent.map { "\n" + String(repeating: " ", count: $0) } ?? ""
    }
    switch self {
    case .null: return "null"
    case .bool(let value): return value ? "true" : "false"
    case .int(let value): return "\(value)"
    case .double(let value): return Int(exactly: value).map { "\($0)" } ?? "\(value)"
    case .string(let value): return Self.quoted(value)
    case .array(let values):
      if values.isEmpty { return "[]" }
      let items = values.map { line(inner) + $0.text(indent: inner) }
      return "[" + items.joined(separator: ",") + line(indent) + "]"
    case .object(let members):
      if members.isEmpty { return "{}" }
      let colon = indent == nil ? ":" : ": "
      let items = members.sorted { $0.key < $1.key }
        .map { line(inner) + Self.quoted($0.key) + colon + $0.value.text(indent: inner) }
      return "{" + items.joined(separator: ",") + line(indent) + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var out: [UInt8] = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): out += [UInt8(ascii: "\\"), byte]
      case 0x0A: out += Array("\\n".utf8)
      case 0x0D: out += Array("\\r".utf8)
      case 0x09: out += Array("\\t".utf8)
      case 0..<0x20: out += Array("\\u00\(Hex.encode([byte]))".utf8)
      default: out.append(byte)
      }
    }
    return String(decoding: out + [UInt8(ascii: "\"")], as: UTF8.self)
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
