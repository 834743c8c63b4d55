import HTTP
import JSON
import POSIX
import Primitives
import SDKCore

/// Reads the members of a line of a batch by their types.
struct BatchMembers {
  private let members: JSONObject

  init(_ members: JSONObject) { self.members = members }

  func text(_ name: String) throws(BatchLineError) -> String? {
    guard let value = members[name], value != .null else { return nil }
    guard let text = value.string else { throw wrong(name, "a string") }
    return text
  }

  func choice<Value>(
    _ name: String, _ read: (String) -> Value?, _ words: [String]
  ) throws(BatchLineError) -> Value? {
    guard let word = try text(name) else { return nil }
    guard let value = read(word) else { throw wrong(name, words.joined(separator: ", ")) }
    return value
  }

  /// `json`, or `form` as the option has it, or `formURL` as the library's vendors have it.
  func encoding() throws(BatchLineError) -> ParametersEncoding {
    try choice(
      "parametersEncoding", { $0 == "formURL" ? .formURL : ParametersEncoding(rawValue: $0) },
      ["json", "formURL"]) ?? .json
  }

  /// The header fields of the line, then those of the command line that it does not have.
  func headers(
    before others: [(name: String, value: String)]
  ) throws(BatchLineError) -> [(name: String, value: String)] {
    guard let value = members["headers"], value != .null else { return others }
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

  /// The parameters in the order of their names; values that are not text as JSON writes them.
  func parameters() throws(BatchLineError) -> [(name: String, value: String)] {
    guard let value = members["parameters"], value != .null else { return [] }
    guard let object = value.object else { throw wrong("parameters", "an object") }
    return object.sorted.map { ($0.key, $0.value.string ?? $0.value.serialized()) }
  }

  func timeout() throws(BatchLineError) -> Duration? {
    guard let value = members["timeout"], value != .null else { return nil }
    guard let seconds = value.double, seconds > 0, seconds < 1e9 else {
      throw wrong("timeout", "a number of seconds")
    }
    return .milliseconds(Int64((seconds * 1000).rounded(.up)))
  }

  /// The body, and the type that it has unless a header field says another.
  func body() throws(BatchLineError) -> (body: HTTPBody, type: String?)? {
    let given = ["body", "bodyBase64", "bodyFile"].filter { (members[$0] ?? .null) != .null }
    guard given.count < 2 else {
      throw BatchLineError("'\(given[0])' and '\(given[1])' cannot be used together")
    }
    guard let name = given.first, let value = members[name] else { return nil }
    if name == "body" {
      if let text = value.string { return (.bytes(Array(text.utf8)), nil) }
      return (.bytes(Array(value.serialized().utf8)), "application/json")
    }
    guard let text = value.string else { throw wrong(name, "a string") }
    if name == "bodyFile" { return (try file(text), nil) }
    guard let bytes = Base64.decode(text.utf8) else { throw wrong(name, "base64") }
    return (.bytes(bytes), nil)
  }

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
