import Arguments
import POSIX

/// A header field as it is typed: `Name: value`, or `@FILE` with such lines.
///
/// A field that is a credential belongs in a file: arguments are there for all to see.
enum Header: Sendable, ArgumentValue {
  case field(name: String, value: String)
  case file(String)

  /// The field is checked with the request, under the vendors' number (10019).
  static func reading(_ text: String) throws(ValueError) -> Header {
    if text.hasPrefix("@") { return .file(String(text.dropFirst())) }
    guard let field = field(text) else { throw ValueError("expected 'Name: value' or @FILE") }
    return field
  }

  /// The fields, those of a file in its order; empty lines are passed over.
  func fields(_ input: Input) throws(Failure) -> [(name: String, value: String)] {
    switch self {
    case .field(let name, let value): return [(name, value)]
    case .file(let path):
      var fields: [(name: String, value: String)] = []
      for line in try Self.lines(of: path, input) {
        guard case .field(let name, let value) = Self.field(line) else {
          throw .usage("a line of '\(path)' is not 'Name: value'")
        }
        fields.append((name, value))
      }
      return fields
    }
  }

  private static func field(_ text: String) -> Header? {
    let scalars = text.unicodeScalars
    guard let colon = scalars.firstIndex(of: ":") else {
      // As in curl: a field without a value.
      return scalars.last == ";" ? .field(name: String(scalars.dropLast()), value: "") : nil
    }
    let value = scalars[colon...].dropFirst().drop { $0 == " " }
    return .field(name: String(scalars[..<colon]), value: String(value))
  }

  private static func lines(of path: String, _ input: Input) throws(Failure) -> [String] {
    do throws(SystemError) {
      let bytes = try input.readOperand(path, limit: 1 << 16)
      return bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        .map { String(decoding: $0, as: UTF8.self) }
    } catch {
      throw .unreadable("the header fields", error)
    }
  }
}
