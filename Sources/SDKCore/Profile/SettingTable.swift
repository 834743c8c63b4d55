package import HTTP
public import JSON

/// The settings that a program knows: those of this module, and those that other modules declare.
public struct SettingTable: Sendable {
  /// All of them, in the order of the manual.
  public let keys: [ProfileKey]
  /// The ways to log in that other modules add.
  let logins: [ModuleSettings.Login]

  /// What a profile cannot have without the module that declares it: sections, or settings of one.
  package static let moduleSettings = ["fido", "form", "identity.obtain"]

  /// Those of this module alone.
  public static let core = SettingTable([])

  /// Those of this module and of others.
  public init(_ modules: [ModuleSettings]) {
    logins = modules.compactMap(\.login)
    let ways = ["refresh"] + logins.map(\.means.name) + ["none"]
    // A program that has no other way to log in cannot say which ones there are.
    let own =
      logins.isEmpty
      ? ProfileKeys.rows
      : ProfileKeys.rows.map {
        $0.name == ProfileKeys.shared.reauthentication.name ? $0.of(ways) : $0
      }
    keys = own + modules.flatMap(\.keys)
  }

  /// All of them by heading.
  public var sections: [ProfileKeySection] {
    keys.reduce(into: []) { sections, key in
      if sections.last?.title != key.heading.title {
        sections.append(ProfileKeySection(title: key.heading.title, keys: []))
      }
      sections[sections.count - 1].keys.append(key)
    }
  }

  /// The key of that name.
  public func named(_ name: String) -> ProfileKey? { keys.first { $0.name == name } }

  /// The settings of a profile's document by their keys, with dots between levels; those that no key names too, but
  /// not the members that say what the document is.
  package func values(in members: JSONObject) -> [(path: String, value: JSON)] {
    members.sorted.flatMap { name, value -> [(path: String, value: JSON)] in
      if ["$schema", "version"].contains(name) { return [] }
      guard let inner = value.object, named(name) == nil, !inner.isEmpty else {
        return [(name, value)]
      }
      return inner.sorted.map { (JSON.path(name, $0.key), $0.value) }
    }
  }

  /// The JSON Schema of the settings of a profile (draft 2020-12).
  public var schema: JSON {
    var properties: JSONObject = [
      "$schema": ["type": "string"],
      "version": ["const": 1, "description": "The version of the document"],
    ]
    var groups: [String: JSONObject] = [:]
    for key in keys {
      var schema = key.schema
      schema["description"] = .string(key.summary)
      let path = key.name.split(separator: ".", maxSplits: 1).map(String.init)
      if path.count == 1 {
        properties[key.name] = .object(schema)
      } else {
        groups[path[0], default: [:]][path[1]] = .object(schema)
      }
    }
    for (name, members) in groups { properties[name] = Self.object(members) }
    var document = Self.object(properties)
    document["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    document["title"] = "Settings of a profile"
    return document
  }

  private static func object(_ properties: JSONObject) -> JSON {
    ["type": "object", "properties": .object(properties), "additionalProperties": false]
  }
}

/// The keys under one heading of the manual.
public struct ProfileKeySection: Sendable {
  /// The heading.
  public let title: String
  /// Its keys.
  public fileprivate(set) var keys: [ProfileKey]
}

/// The settings that another module declares.
public struct ModuleSettings: Sendable {
  struct Login: Sendable {
    /// The way to log in, which `reauthenticate` names.
    let means: Remedy.Login.Means
    /// The setting without which nobody logs in so.
    let server: Key<HTTPURL?>
    /// The setting with a text of the login page, which a server shows in place of a resource.
    let pageText: Key<String?>?
  }

  let keys: [ProfileKey]
  let login: Login?

  /// Settings that add no way to log in.
  package init(_ keys: [ProfileKey]) { (self.keys, login) = (keys, nil) }

  package init(
    _ means: Remedy.Login.Means, at server: Key<HTTPURL?>, pageText: Key<String?>? = nil,
    keys: [ProfileKey]
  ) {
    self.keys = keys
    login = Login(means: means, server: server, pageText: pageText)
  }
}
