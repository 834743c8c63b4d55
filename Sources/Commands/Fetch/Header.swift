import Arguments
import POSIX
import Primitives

/// A header field as it is typed: `Name: value`, `Name;` for one without a value, `Name:` for one
/// that is not added by default, or `@FILE` with such lines.
///
/// A field that is a credential belongs in a file: arguments are there for all to see.
enum Header: Sendable, ArgumentValue {
  case field(name: String, value: String)
  case omitted(name: String)
  /// A file, and its lines once they are loaded.
  case file(path: String, lines: [Header])

  /// The file that it names; `nil` for a field.
  var file: String? {
    if case .file(let path, _) = self { path } else { nil }
  }

  /// The field is checked with the request, under the vendors' number (10019).
  static func reading(_ text: String) throws(ValueError) -> Header {
    if text.hasPrefix("@") { return .file(path: String(text.dropFirst()), lines: []) }
    guard let field = line(text) else { throw ValueError("expected 'Name: value' or @FILE") }
    return field
  }

  /// A line; `nil` if it has neither a colon nor a semicolon at its end.
  static func line(_ text: String) -> Header? {
    let scalars = text.unicodeScalars
    guard let colon = scalars.firstIndex(of: ":") else {
      // As in curl: a field without a value.
      guard scalars.last == ";" else { return nil }
      return .field(name: String(scalars.dropLast()), value: "")
    }
    let name = String(scalars[..<colon])
    let value = scalars[colon...].dropFirst().drop { $0 == " " || $0 == "\t" }
    return value.isEmpty ? .omitted(name: name) : .field(name: name, value: String(value))
  }

  /// The header with the lines of its file, if it names one; empty lines are passed over.
  func loaded(_ input: Input) throws -> Header {
    guard case .file(let path, _) = self else { return self }
    var lines: [Header] = []
    for text in try Self.lines(of: path, input) {
      guard let line = Self.line(text) else {
        throw Failure.usage("a line of '\(path)' is not 'Name: value'")
      }
      lines.append(line)
    }
    return .file(path: path, lines: lines)
  }

  private static func lines(of path: String, _ input: Input) throws -> [String] {
    let bytes = try input.read(path, "the header fields", limit: 1 << 16)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure.usage("'\(Visible.line(path))' is not UTF-8")
    }
    return text.unicodeScalars.split { $0 == "\n" || $0 == "\r" }.map { String($0) }
  }
}

/// The header fields of the command line, those of a file in its order.
struct HeaderLines: Sendable {
  var sent: [(name: String, value: String)] = []
  /// The names of those that are not added by default.
  var omitted: [String] = []

  /// Makes them of headers whose files are loaded.
  init(_ headers: [Header]) {
    for header in headers { append(header) }
  }

  private mutating func append(_ header: Header) {
    switch header {
    case .field(let name, let value): sent.append((name, value))
    case .omitted(let name): omitted.append(name)
    case .file(_, let lines): for line in lines { append(line) }
    }
  }
}
