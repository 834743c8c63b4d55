import Arguments
import JSON
import POSIX
import Primitives
import SDKCore

/// A parameter as it is typed: `name=value`, `name:=JSON`, or `name:=@FILE` with JSON in a file.
struct Parameter: Sendable, ArgumentValue {
  let name: String
  let value: String
  /// The value if it is JSON; `nil` for text.
  var json: JSON?
  /// The file with the JSON value, not yet read.
  private(set) var file: String?

  /// Reads a parameter; in the name, `\\=` and `\\:` are the characters after the backslash.
  static func reading(_ text: String) throws(ValueError) -> Parameter {
    let malformed = ValueError("expected NAME=VALUE or NAME:=JSON")
    var rest = Array(text.utf8)[...]
    var name: [UInt8] = []
    var endsWithColon = false
    while let byte = rest.first, byte != UInt8(ascii: "=") {
      let next = rest.dropFirst().first
      let isEscape =
        byte == UInt8(ascii: "\\") && (next == UInt8(ascii: "=") || next == UInt8(ascii: ":"))
      name.append(isEscape ? next ?? byte : byte)
      rest = rest.dropFirst(isEscape ? 2 : 1)
      endsWithColon = !isEscape && byte == UInt8(ascii: ":")
    }
    guard !name.isEmpty, rest.popFirst() != nil else { throw malformed }
    let value = String(decoding: rest, as: UTF8.self)
    guard endsWithColon, name.count > 1 else {
      return Parameter(name: String(decoding: name, as: UTF8.self), value: value)
    }
    let bare = String(decoding: name.dropLast(), as: UTF8.self)
    if value.hasPrefix("@") {
      return Parameter(name: bare, value: value, file: String(value.dropFirst()))
    }
    do {
      return Parameter(name: bare, value: value, json: try JSON(parsing: value))
    } catch {
      throw ValueError("the value is not JSON: \(error.description)")
    }
  }

  /// The value outside of a JSON body, as one text.
  var text: String { json.map { $0.string ?? $0.serialized() } ?? value }

  /// The fields of a query or a form.
  var fields: [(name: String, value: String)] {
    json?.formFields(named: name) ?? [(name, value)]
  }

  /// The parameter with its file read.
  func loaded(_ input: Input) throws -> Parameter {
    guard let file else { return self }
    let bytes = try input.read(file, "the parameter", limit: 1 << 24)
    do throws(JSONError) {
      return Parameter(name: name, value: value, json: try JSON(parsing: bytes))
    } catch {
      throw Failure(
        .inputInvalid, "could not read the parameter: '\(Visible.line(file))' is not JSON: \(error)"
      )
    }
  }
}

extension [Parameter] {
  /// The parameters of a JSON body: those with text, and those with JSON; the last of a name counts.
  var members: (text: [(name: String, value: String)], json: [(name: String, value: JSON)]) {
    var seen: Set<Identifier> = []
    let last = Array(reversed().filter { seen.insert(Identifier($0.name)).inserted }.reversed())
    return (
      last.filter { $0.json == nil }.map { ($0.name, $0.value) },
      last.compactMap { parameter in parameter.json.map { (parameter.name, $0) } }
    )
  }
}
