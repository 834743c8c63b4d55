import Arguments

/// A parameter as it is typed: `name=value`.
struct Parameter: Sendable, ArgumentValue {
  let name: String
  let value: String

  static func reading(_ text: String) throws(ValueError) -> Parameter {
    guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")), equals != text.startIndex else {
      throw ValueError("expected NAME=VALUE")
    }
    return Parameter(
      name: String(text[..<equals]), value: String(text.unicodeScalars[equals...].dropFirst()))
  }
}
