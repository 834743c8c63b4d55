import JSON
import Primitives
import SDKCore

/// The four values of Sequencing.com's OAuth library; how their names are written (`clientID`, `client_id`,
/// `kClientID`, `CLIENT_ID`) does not matter.
struct SequencingConfiguration {
  private(set) var settings = AppConfiguration(.sequencing)

  /// Whether the members are the four values, and not all are settings of a profile.
  static func isMeant(by members: JSONObject) -> Bool {
    let keys = members.keys.map { names[plain($0)] }
    return keys.allSatisfy { $0 != nil } && keys.contains("clientID")
      && members.keys.contains { SettingTable.core.named($0) == nil }
  }

  init(_ members: JSONObject) throws(SDKError) {
    let values = members.sorted.map { (plain: Self.plain($0.key), name: $0.key, value: $0.value) }
    var read: [String: String] = [:]
    // An empty text of a template is no value.
    for value in values.sorted(by: { $0.plain < $1.plain }) where value.value != "" {
      let key = Self.names[value.plain] ?? ""
      if let other = read.updateValue(value.name, forKey: key) {
        throw AppConfiguration.failure("\(other) and \(value.name) are the same value")
      }
      try self.read(key, value.name, value.value)
    }
    settings.provider = ProfilePreset.named("sequencing")
  }

  private mutating func read(_ key: String, _ name: String, _ value: JSON) throws(SDKError) {
    guard let text = value.string ?? value.strings?.joined(separator: " ") else {
      throw AppConfiguration.failure("\(name) is not a text")
    }
    if key.isEmpty {
      settings.clientSecret = text
    } else {
      settings.settings.append(try AppConfiguration.setting(key, to: text, named: name))
    }
  }

  /// A name without what is only a way to write it.
  private static func plain(_ name: String) -> String {
    var letters = name.utf8.filter { $0 != UInt8(ascii: "_") }
    if letters.count > 1, letters[0] == UInt8(ascii: "k"), (0x41...0x5A).contains(letters[1]) {
      letters.removeFirst()
    }
    let text = String(decoding: letters, as: UTF8.self).asciiLowercased
    return text.hasSuffix("url") ? String(text.dropLast(3)) + "uri" : text
  }

  /// The settings for the plain names; the secret is not one.
  private static let names = [
    "clientid": "clientID", "cliendid": "clientID", "clientsecret": "",
    "redirecturi": "redirectURI", "scope": "scope", "scopes": "scope",
  ]
}

/// The settings of a profile in a document of their own: JSON as docs/profile.schema.json describes it.
enum PlainSettings {
  /// Keys and values as they are typed, in the order of the table of keys.
  static func read(
    _ members: JSONObject, _ table: SettingTable
  ) throws(SDKError) -> [(key: String, value: String)] {
    if let version = members["version"], version != 1 {
      throw AppConfiguration.failure(
        "its 'version' is not 1, the only one there is", subject: "version")
    }
    var settings: [String: String] = [:]
    for (path, value) in table.values(in: members) {
      guard let key = table.named(path) else {
        throw AppConfiguration.failure("there is no setting '\(path)'", subject: path)
      }
      do throws(SDKError) { try key.check(value) } catch {
        throw AppConfiguration.failure(error.message, subject: path)
      }
      settings[path] = key.text(of: value)
    }
    guard !settings.isEmpty else {
      throw AppConfiguration.failure("it has no setting and no key of a vendor")
    }
    return table.keys.compactMap { key in settings[key.name].map { (key.name, $0) } }
  }
}
