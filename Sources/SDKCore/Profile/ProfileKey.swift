public import JSON

/// One configuration key of a profile: its name, type and meaning.
///
/// `profile set`, the validation of `profile.json`, completion and the manual all
/// read the table of these.
public struct ProfileKey: Sendable {
  /// The key, with dots between levels, as on the command line and as path in the file.
  public var name: String { definition.name }
  /// What a value must be, in words, for messages and the manual.
  public var expected: String { definition.expected ?? words.joined(separator: ", ") }
  /// One line about it.
  public var summary: String { definition.summary }
  /// The words that can be set, if there is a fixed set of them.
  public var words: [String] { definition.words }
  /// A value as it is typed; the manual shows it, and a test holds it to the type.
  public private(set) var example: String
  /// The value without the setting, as it is typed; `nil` if there is none.
  public var defaultText: String? { definition.makeDefault?() ?? nil }
  /// Whether a value is a URL.
  var isURL: Bool { definition.isURL }
  /// Whether a value is the path of a file.
  public var isPath: Bool { definition.isPath }
  /// What a value in a document must be, as JSON Schema says it.
  var schema: JSONObject {
    let schema = definition.schema()
    return words.isEmpty || schema["type"] != "string" ? schema : ["enum": .strings(words)]
  }
  /// What a change of it does; `nil` if it needs no consent of its own.
  func effect(_ old: JSON?, _ new: JSON?, _ servers: ProfileServers) -> SettingChange.Effect? {
    definition.effect(old, new, servers)
  }
  /// The value of a flag that protects; `nil` if none does.
  var protectiveFlag: Bool? {
    guard words == ["true", "false"], let profile = try? ProfileName("flag") else { return nil }
    let none = Profile(unchecked: profile, members: [:])
    let servers = ProfileServers(of: none, changedTo: none)
    return [true, false].first { effect(.bool($0), .bool(!$0), servers) == .weaker }
  }
  private let definition: Definition

  /// In an object: the table is made by every command that reads a profile, and copied.
  private final class Definition: Sendable {
    let name: String
    let expected: String?
    let summary: String
    let words: [String]
    let isURL: Bool
    let isPath: Bool
    let schema: @Sendable () -> JSONObject
    let parse: @Sendable (String) -> JSON?
    let accepts: @Sendable (JSON) throws -> Bool
    let effect: @Sendable (JSON?, JSON?, ProfileServers) -> SettingChange.Effect?
    let makeDefault: (@Sendable () -> String?)?

    init<Value>(
      _ name: String, _ type: ValueType<Value>, _ summary: String,
      _ effect: @escaping @Sendable (JSON?, JSON?, ProfileServers) -> SettingChange.Effect?,
      _ makeDefault: (@Sendable () -> String?)?
    ) {
      self.effect = effect
      self.name = name
      self.summary = summary
      self.makeDefault = makeDefault
      (expected, words) = (type.expected, type.words)
      (isURL, isPath) = (type.isURL, type.isPath)
      (schema, parse) = (type.schema, type.parse)
      accepts = { try type.read($0) != nil }
    }
  }

  fileprivate init<Value, Read>(
    _ name: String, _ type: ValueType<Value>, _ rule: ChangeRule<Read>, _ summary: String,
    reading read: @escaping @Sendable (JSON?) -> Read, example: String = "",
    makeDefault: (@Sendable () -> String?)? = nil
  ) {
    self.example = example
    definition = Definition(
      name, type, summary, { rule.effect(read($0), read($1), $2) }, makeDefault)
  }

  init<Value>(
    _ name: String, _ type: ValueType<Value>, _ rule: ChangeRule<Value?>, _ summary: String,
    example: String
  ) {
    self = Key(name, type, rule, summary).example(example)
  }

  /// All keys by heading, in the order of the manual.
  public static let sections: [ProfileKeySection] = ProfileKeys.shared.sections

  /// All keys, in the order of the manual.
  public static let all: [ProfileKey] = sections.flatMap(\.keys)

  /// The key of that name.
  public static func named(_ name: String) -> ProfileKey? {
    sections.lazy.flatMap(\.keys).first { $0.name == name }
  }

  /// The name of a key that had another one; `nil` for any other name.
  static func renamed(_ name: String) -> String? {
    let parts = name.split(separator: ".", maxSplits: 1)
    guard parts.count == 2, ["fido", "seal"].contains(parts[0]), parts[1].hasPrefix("pin") else {
      return nil
    }
    return named("\(parts[0]).passcode\(parts[1].dropFirst(3))")?.name
  }

  /// Reads a value as it is typed; the error says what was expected.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration``, which says what was expected.
  public func value(from text: String) throws(SDKError) -> JSON {
    guard let value = definition.parse(text) else { throw invalid() }
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
    do { isAccepted = try definition.accepts(value) } catch { throw invalid("\(error)") }
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

  init(
    _ name: String, _ type: ValueType<Value>, _ rule: ChangeRule<Value>, default value: Value,
    _ summary: String
  ) {
    read = { json in json.flatMap { try? type.read($0) } ?? value }
    row = ProfileKey(
      name, type, rule, summary, reading: read, makeDefault: { Self.text(of: value) })
  }

  init<Wrapped>(
    _ name: String, _ type: ValueType<Wrapped>, _ rule: ChangeRule<Value>, _ summary: String
  ) where Value == Wrapped? {
    read = { json in json.flatMap { try? type.read($0) } }
    row = ProfileKey(name, type, rule, summary, reading: read)
  }
}

extension Key {
  /// The row with an example of a value, as the table of all keys has it.
  func example(_ text: String) -> ProfileKey { row.with(example: text) }

  /// A default as it is typed; `nil` for a list without elements.
  private static func text(of value: Value) -> String? {
    switch value {
    case let word as any RawRepresentable<String>: word.rawValue
    case is Bool, is any FixedWidthInteger, is String: "\(value)"
    default: nil
    }
  }
}

extension ProfileKey {
  fileprivate func with(example: String) -> ProfileKey {
    var copy = self
    copy.example = example
    return copy
  }
}

/// The keys under one heading of the manual.
public struct ProfileKeySection: Sendable {
  /// The heading.
  public let title: String
  /// Its keys.
  public let keys: [ProfileKey]

  init(_ title: String, _ keys: [ProfileKey]) {
    self.title = title
    self.keys = keys
  }
}
