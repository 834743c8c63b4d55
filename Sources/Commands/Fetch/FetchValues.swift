import Arguments

/// A header field as it is typed: `Name: value`.
struct Header: Sendable, ArgumentValue {
  let name: String
  let value: String

  /// The field is checked with the request, under the vendors' number (10019).
  static func reading(_ text: String) throws(ValueError) -> Header {
    guard let colon = text.unicodeScalars.firstIndex(of: ":") else {
      throw ValueError("expected 'Name: value'")
    }
    let value = text.unicodeScalars[colon...].dropFirst().drop { $0 == " " }
    return Header(name: String(text.unicodeScalars[..<colon]), value: String(value))
  }
}

/// A parameter as it is typed: `name=value`.
struct Parameter: Sendable, ArgumentValue {
  let name: String
  let value: String

  static func reading(_ text: String) throws(ValueError) -> Parameter {
    guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
      throw ValueError("expected NAME=VALUE")
    }
    return Parameter(name: String(text[..<equals]), value: String(text[equals...].dropFirst()))
  }
}
