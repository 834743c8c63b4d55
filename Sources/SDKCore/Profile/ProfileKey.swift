public import JSON

/// One configuration key of a profile: all that there is to say of it.
///
/// `profile set`, the validation of `profile.json`, completion and the manual all read the table of these.
public struct ProfileKey: Sendable {
  /// The key, with dots between levels, as on the command line and as path in the file.
  public var name: String { row.name }
  /// What a value must be, in words, for messages and the manual.
  public var expected: String { row.expected ?? words.joined(separator: ", ") }
  /// One line about it.
  public var summary: String {
    row.summary + (row.isRegistered == nil ? "" : "; part of a registration")
  }
  /// The words that can be set, if there is a fixed set of them.
  public var words: [String] { row.words }
  /// A value as it is typed; the manual shows it, and a test holds it to the type.
  public var example: String { row.example }
  /// The value without the setting, as it is typed; `nil` if there is none.
  public var defaultText: String? { row.makeDefault() }
  var isURL: Bool { row.role != nil }
  var isEndpoint: Bool { isURL && row.role != .page }
  var isServer: Bool { row.role == .server }
  /// Whether a value is the path of a file.
  public var isPath: Bool { row.isPath }
  var heading: SettingHeading { row.heading }
  /// What a value in a document must be, as JSON Schema says it.
  var schema: JSONObject {
    let schema = row.schema()
    return words.isEmpty || schema["type"] != "string" ? schema : ["enum": .strings(words)]
  }

  func effect(_ old: JSON?, _ new: JSON?, _ servers: ProfileServers) -> SettingChange.Effect? {
    row.effect(old, new, servers)
  }

  /// Whether a registration tells the server the setting.
  public var isRegistered: Bool { row.isRegistered != nil }

  /// Whether a client that was registered from here can do what the value in a profile needs.
  func isRegistered(in client: JSONObject, of profile: Profile) -> Bool {
    row.isRegistered?(profile[name], client) ?? true
  }

  func missing(in profile: Profile) -> [String] {
    row.needs(profile).compactMap { $0.text(in: profile) }
  }

  func secretNames(in profile: Profile) -> [String] { profile[name].map(row.secretNames) ?? [] }

  /// The value of a flag that protects; `nil` if none does.
  var protectiveFlag: Bool? {
    guard let profile = try? ProfileName("flag") else { return nil }
    let none = Profile(unchecked: profile, members: [:])
    let servers = ProfileServers(of: none, changedTo: none)
    return [true, false].first { effect(.bool($0), .bool(!$0), servers) == .weaker }
  }

  /// The row, of these words only.
  func of(_ words: [String]) -> ProfileKey {
    var row = row
    row.words = words
    row.expected = nil
    let accepts = row.accepts
    row.accepts = { try $0.string.map(words.contains) == true && accepts($0) }
    return ProfileKey(row: row)
  }

  /// In an object: the table is made by every command that reads a profile, and copied.
  private let content: Content
  private var row: Row { content.row }

  private final class Content: Sendable {
    let row: Row
    init(_ row: Row) { self.row = row }
  }

  private init(row: Row) { content = Content(row) }

  private struct Row: Sendable {
    let name: String
    let heading: SettingHeading
    var expected: String?
    let summary: String
    let example: String
    var words: [String]
    let role: URLRole?
    let isPath: Bool
    let schema: @Sendable () -> JSONObject
    let parse: @Sendable (String) -> JSON?
    var accepts: @Sendable (JSON) throws -> Bool
    let effect: @Sendable (JSON?, JSON?, ProfileServers) -> SettingChange.Effect?
    let isRegistered: (@Sendable (JSON?, JSONObject) -> Bool)?
    let needs: @Sendable (Profile) -> [SettingNeed]
    let secretNames: @Sendable (JSON) -> [String]
    let makeDefault: @Sendable () -> String?
  }

  fileprivate init<Value, Read>(
    _ name: String, _ heading: SettingHeading, _ type: ValueType<Value>, _ rule: ChangeRule<Read>,
    _ summary: String, _ example: String, reading read: @escaping @Sendable (JSON?) -> Read,
    needs: (@Sendable (Read, Profile) -> [SettingNeed])?,
    makeDefault: @escaping @Sendable () -> String?
  ) {
    let isRegistered = rule.isRegistered.map { check -> @Sendable (JSON?, JSONObject) -> Bool in
      { check(read($0), $1) }
    }
    self.init(
      row: Row(
        name: name, heading: heading, expected: type.expected, summary: summary, example: example,
        words: type.words, role: type.role, isPath: type.isPath, schema: type.schema,
        parse: type.parse, accepts: { try type.read($0) != nil },
        effect: { rule.effect(read($0), read($1), $2) },
        isRegistered: isRegistered,
        needs: { needs?(read($0[name]), $0) ?? [] },
        secretNames: { (try? type.read($0)).flatMap { $0 }.map(type.secretNames) ?? [] },
        makeDefault: makeDefault))
  }

  /// Reads a value as it is typed; the error says what was expected.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration``, which says what was expected.
  public func value(from text: String) throws(SDKError) -> JSON {
    guard let value = row.parse(text) else { throw invalid() }
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
    do { isAccepted = try row.accepts(value) } catch { throw invalid("\(error)") }
    guard isAccepted else { throw invalid() }
  }

  private func invalid(_ cause: String? = nil) -> SDKError {
    SDKError(
      .invalidConfiguration,
      "could not use the value of '\(name)': \(cause ?? "expected \(expected)")", subject: name)
  }
}

/// A key with the type of its value.
public struct Key<Value: Sendable>: Sendable {
  package let row: ProfileKey
  package var name: String { row.name }
  /// The value in a document; without one, or with one of another type, the default.
  let read: @Sendable (JSON?) -> Value

  package init(
    _ name: String, _ heading: SettingHeading, _ type: ValueType<Value>, _ rule: ChangeRule<Value>,
    default value: Value, _ summary: String, example: String,
    needs: (@Sendable (Value, Profile) -> [SettingNeed])? = nil
  ) {
    let read: @Sendable (JSON?) -> Value = { json in
      json.flatMap { try? type.read($0) } ?? value
    }
    self.read = read
    row = ProfileKey(
      name, heading, type, rule, summary, example, reading: read, needs: needs,
      makeDefault: { Self.text(of: value) })
  }

  package init<Wrapped>(
    _ name: String, _ heading: SettingHeading, _ type: ValueType<Wrapped>,
    _ rule: ChangeRule<Value>, _ summary: String, example: String,
    needs: (@Sendable (Value, Profile) -> [SettingNeed])? = nil
  ) where Value == Wrapped? {
    let read: @Sendable (JSON?) -> Value = { json in json.flatMap { try? type.read($0) } }
    self.read = read
    row = ProfileKey(
      name, heading, type, rule, summary, example, reading: read, needs: needs,
      makeDefault: { nil })
  }

  private static func text(of value: Value) -> String? {
    switch value {
    case let word as any RawRepresentable<String>: word.rawValue
    case is Bool, is any FixedWidthInteger, is String: "\(value)"
    default: nil
    }
  }
}

package struct SettingHeading: Sendable, Hashable {
  let title: String

  package init(_ title: String) { self.title = title }
}

/// What the value of a setting cannot work without.
package enum SettingNeed: Sendable, ExpressibleByStringLiteral {
  /// Another setting.
  case setting(String)
  /// Something else, in words.
  case other(String)

  package init(stringLiteral name: String) { self = .setting(name) }

  fileprivate func text(in profile: Profile) -> String? {
    switch self {
    case .setting(let name): profile[name] == nil ? "'\(name)', which is not set" : nil
    case .other(let text): text
    }
  }
}
