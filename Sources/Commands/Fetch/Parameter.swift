import Arguments
import JSON

/// A parameter as it is typed: `name=value`, or `name:=JSON`.
struct Parameter: Sendable, ArgumentValue {
  let name: String
  let value: String
  /// The value if it is JSON; `nil` for text.
  var json: JSON?

  static func reading(_ text: String) throws(ValueError) -> Parameter {
    guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")), equals != text.startIndex else {
      throw ValueError("expected NAME=VALUE or NAME:=JSON")
    }
    let name = text[..<equals]
    let value = String(text.unicodeScalars[equals...].dropFirst())
    guard name.utf8.last == UInt8(ascii: ":"), name.utf8.count > 1 else {
      return Parameter(name: String(name), value: value)
    }
    do {
      let json = try JSON(parsing: value)
      return Parameter(name: String(name.utf8.dropLast()) ?? "", value: value, json: json)
    } catch {
      throw ValueError("the value is not JSON: \(error.description)")
    }
  }
}
