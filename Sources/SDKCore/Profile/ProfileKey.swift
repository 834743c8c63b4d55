public import JSON
import OAuth

/// One configuration key of a profile: its name, type and meaning.
///
/// `profile set`, the validation of `profile.json`, completion and the manual all
/// read the table of these.
public struct ProfileKey: Sendable {
  /// The key, with dots between levels, as on the command line and as path in the file.
  public let name: String
  /// What a value must be, in words, for messages and the manual.
  public let expected: String
  /// One line about it.
  public let summary: String
  /// The words that can be set, if there is a fixed set of them.
  public let words: [String]
  /// Whether a value is a URL.
  let isURL: Bool
  /// What a value in a document must be, as JSON Schema says it.
  let schema: JSONObject
  private let parse: @Sendable (String) -> JSON?
  private let accepts: @Sendable (JSON) throws -> Bool

  fileprivate init<Value>(
    _ name: String, _ type: ValueType<Value>, _ summary: String
  ) {
    self.name = name
    self.summary = summary
    words = type.words
    expected = type.expected ?? words.joined(separator: ", ")
    (isURL, parse) = (type.isURL, type.parse)
    schema =
      type.words.isEmpty || type.schema["type"] != "string"
      ? type.schema : ["enum": .strings(type.words)]
    accepts = { try type.read($0) != nil }
  }

  /// All keys, in the order of the manual.
  public static let all: [ProfileKey] =
    ProfileKeys.shared.all.map(\.row)
    + ServerMetadata.Endpoint.allCases.map {
      ProfileKey(
        "endpoints.\($0.name)", .url, "Used instead of \($0.rawValue) of the server's metadata")
    }
    + [
      ProfileKey(
        "endpoints.refresh", .url, "Where refresh tokens go, if not to the token endpoint"),
      ProfileKey(
        "endpoints.account", .url, "Where the server makes an account for an email address"),
      ProfileKey(
        "endpoints.passwordReset", .url,
        "Where the server resets the password of an email address"),
    ]

  /// The key of that name.
  public static func named(_ name: String) -> ProfileKey? { all.first { $0.name == name } }

  /// Reads a value as it is typed; the error says what was expected.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration``, which says what was expected.
  public func value(from text: String) throws(SDKError) -> JSON {
    guard let value = parse(text) else { throw invalid() }
    try check(value)
    return value
  }

  /// A value as it is typed.
  public func text(of value: JSON) -> String {
    value.string ?? value.strings?.joined(separator: ",") ?? value.serialized()
  }

  /// Checks a value as it stands in a document.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration``, which says what was expected.
  public func check(_ value: JSON) throws(SDKError) {
    let isAccepted: Bool
    do { isAccepted = try accepts(value) } catch { throw invalid("\(error)") }
    guard isAccepted else { throw invalid() }
  }

  private func invalid(_ cause: String? = nil) -> SDKError {
    SDKError(
      .invalidConfiguration,
      "could not use the value of '\(name)': \(cause ?? "expected \(expected)")")
  }
}

/// A key with the type of its value.
public struct Key<Value: Sendable>: Sendable {
  let row: ProfileKey
  /// The value in a document; without one, or with one of another type, the default.
  let read: @Sendable (JSON?) -> Value

  init(_ name: String, _ type: ValueType<Value>, default value: Value, _ summary: String) {
    row = ProfileKey(name, type, summary)
    read = { json in json.flatMap { try? type.read($0) } ?? value }
  }

  init<Wrapped>(
    _ name: String, _ type: ValueType<Wrapped>, _ summary: String
  ) where Value == Wrapped? {
    row = ProfileKey(name, type, summary)
    read = { json in json.flatMap { try? type.read($0) } }
  }
}

/// A key of whatever type.
protocol TypedKey: Sendable {
  var row: ProfileKey { get }
}

extension Key: TypedKey {}
