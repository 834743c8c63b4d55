import HTTP
import JSON
import POSIX
import Primitives
import SDKCore

/// Reads the members of a line of a batch by their types.
struct BatchMembers {
  private let members: JSONObject

  init(_ members: JSONObject) { self.members = members }

  /// The first name that is not one of these; `nil` if there is none.
  func name(notIn names: [Identifier]) -> String? {
    members.sorted.first { !names.contains(Identifier($0.key)) }?.key
  }

  /// The value of a member, if it is there and not null.
  private func value(_ name: String) -> JSON? {
    let value = members[name]
    return value == .null ? nil : value
  }

  func text(_ name: String) throws(BatchLineError) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.string else { throw wrong(name, "a string") }
    return text
  }

  func choice<Value>(
    _ name: String, _ read: (String) -> Value?, _ words: @autoclosure () -> [String]
  ) throws(BatchLineError) -> Value? {
    guard let word = try text(name) else { return nil }
    guard let value = read(word) else { throw wrong(name, words().joined(separator: ", ")) }
    return value
  }

  /// `json`, or `form` and `form-json` as the option has them, or `formURL` as the library's vendors
  /// have it.
  func encoding() throws(BatchLineError) -> ParametersEncoding {
    try choice(
      "parametersEncoding", { $0 == "formURL" ? .formURL : ParametersEncoding(rawValue: $0) },
      ["json", "formURL", "form-json"]) ?? .json
  }

  /// The header fields of the line, then those of the command line that it does not have.
  func headers(
    before others: [(name: String, value: String)]
  ) throws(BatchLineError) -> [(name: String, value: String)] {
    guard let value = value("headers") else { return others }
    guard let object = value.object else { throw wrong("headers", "an object") }
    var fields: [(name: String, value: String)] = []
    for (name, value) in object.sorted {
      guard let values = value.string.map({ [$0] }) ?? value.strings else {
        throw wrong("headers", "an object of strings, or of arrays of strings")
      }
      fields += values.map { (name, $0) }
    }
    let own = Set(fields.map { $0.name.asciiLowercased })
    return fields + others.filter { !own.contains($0.name.asciiLowercased) }
  }

  /// The parameters in the order of their names: those that are text, and those with JSON values.
  func parameters() throws(BatchLineError) -> (
    text: [(name: String, value: String)], json: [(name: String, value: JSON)]
  ) {
    guard let value = value("parameters") else { return ([], []) }
    guard let object = value.object else { throw wrong("parameters", "an object") }
    var (text, json): ([(name: String, value: String)], [(name: String, value: JSON)]) = ([], [])
    for (name, value) in object.sorted {
      if let value = value.string { text.append((name, value)) } else { json.append((name, value)) }
    }
    return (text, json)
  }

  func form() throws(BatchLineError) -> [MultipartData] {
    guard let value = value("multipart") else { return [] }
    guard let parts = value.array else { throw wrong("multipart", "an array of objects") }
    return try parts.map { (part) throws(BatchLineError) in try Self.part(part.object ?? [:]) }
  }

  private static func part(_ members: JSONObject) throws(BatchLineError) -> MultipartData {
    let reader = BatchMembers(members)
    if let unknown = reader.name(notIn: ["name", "value", "file", "type", "filename"]) {
      throw BatchLineError("the member '\(unknown)' of 'multipart' is unknown")
    }
    guard let name = try reader.text("name"), !name.isEmpty else {
      throw BatchLineError("a part of 'multipart' has no name")
    }
    let (value, file) = (try reader.text("value"), try reader.text("file"))
    guard (value == nil) != (file == nil) else {
      throw BatchLineError("the part '\(name)' of 'multipart' needs either 'value' or 'file'")
    }
    let (type, fileName) = (try reader.text("type"), try reader.text("filename"))
    do throws(Failure) {
      // Standard input may be where the lines come from.
      return try FormPart(
        name: name, content: file.map { $0 == "-" ? "./-" : $0 } ?? value ?? "",
        source: file == nil ? .text : .file, type: type, fileName: fileName
      ).opened(.standard)
    } catch {
      throw BatchLineError(error.message)
    }
  }

  func timeout() throws(BatchLineError) -> Duration? {
    guard let value = value("timeout") else { return nil }
    guard let seconds = value.double, seconds > 0, seconds < 1e9 else {
      throw wrong("timeout", "a number of seconds above 0")
    }
    return .milliseconds(Int64((seconds * 1000).rounded(.up)))
  }

  /// The body, and the type that it has unless a header field says another.
  func body() throws(BatchLineError) -> (body: HTTPBody, type: String?)? {
    var given: (name: String, value: JSON)?
    for name in Self.bodies {
      guard let value = value(name) else { continue }
      if let given {
        throw BatchLineError("'\(given.name)' and '\(name)' cannot be used together")
      }
      given = (name, value)
    }
    guard let (name, value) = given else { return nil }
    if name == "body" {
      if let text = value.string {
        let body = HTTPBody.bytes(Array(text.utf8))
        return (body, MediaType.of(body, file: nil))
      }
      return (.bytes(Array(value.serialized().utf8)), "application/json")
    }
    guard let text = value.string else { throw wrong(name, "a string") }
    if name == "bodyFile" {
      let body = try file(text)
      return (body, MediaType.of(body, file: text))
    }
    guard let bytes = Base64.decode(text.utf8) else { throw wrong(name, "base64") }
    return (.bytes(bytes), nil)
  }

  private static let bodies = ["body", "bodyBase64", "bodyFile"]

  private func file(_ path: String) throws(BatchLineError) -> HTTPBody {
    do throws(Failure) {
      // Standard input may be where the lines come from.
      return try BodySource.body(of: "@\(path == "-" ? "./-" : path)", .standard)
    } catch {
      throw BatchLineError(error.message)
    }
  }

  private func wrong(_ name: String, _ expected: String) -> BatchLineError {
    BatchLineError("the member '\(name)' is not \(expected)")
  }
}
