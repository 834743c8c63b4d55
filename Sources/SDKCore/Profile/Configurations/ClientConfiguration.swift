import HTTP
import JSON
import Primitives

/// An OAuth client as AppAuth describes it, or the four values of Sequencing.com's library.
///
/// The names are those of AppAuth's classes and of the configurations of its example apps; how they are written
/// (`clientID`, `client_id`, `kClientID`, `CLIENT_ID`) does not matter.
struct ClientConfiguration {
  private(set) var settings: AppConfiguration

  /// Reads the members; `nil` if they do not describe a client, or if all are settings of a profile.
  init?(_ members: JSONObject) throws(SDKError) {
    var values: [String: (name: String, value: JSON)] = [:]
    for (name, value) in members.sorted { values[Self.plain(name)] = (name, value) }
    let hasOwnNames = members.keys.contains { name in
      Self.names[Self.plain(name)] != nil && ProfileKey.named(name) == nil
    }
    guard hasOwnNames, values["clientid"] != nil || values["cliendid"] != nil else { return nil }
    let hasServer = values.keys.contains { Self.servers.contains($0) }
    settings = AppConfiguration(hasServer ? .appAuth : .sequencing)
    for (plain, (name, value)) in values.sorted(by: { $0.key < $1.key }) {
      try read(plain, name, value)
    }
    if !hasServer {
      settings.provider = ProfilePreset.named("sequencing")
    } else if values["issuer"] == nil, values["discoveryuri"] == nil {
      try useEndpoints()
    }
  }

  private mutating func read(_ plain: String, _ name: String, _ value: JSON) throws(SDKError) {
    switch (plain, Self.names[plain]) {
    case ("clientsecret", _):
      guard let text = value.string else { throw AppConfiguration.failure("\(name) is not a text") }
      if !text.isEmpty { settings.clientSecret = text }
    case ("discoveryuri", _):
      let suffix = "/.well-known/openid-configuration"
      guard let text = value.string, text.hasSuffix(suffix) else {
        throw AppConfiguration.failure("\(name) does not end with \(suffix)")
      }
      settings.settings.append(
        try AppConfiguration.setting(
          "issuer", to: String(text.dropLast(suffix.count)), named: name))
    case (_, .some(let key)):
      // An empty text of a template is no value.
      if value == "" { return }
      let text = value.string ?? value.strings?.joined(separator: " ")
      guard let text else { throw AppConfiguration.failure("\(name) is not a text") }
      settings.settings.append(try AppConfiguration.setting(key, to: text, named: name))
    case (_, nil): settings.notes.append("\(name) is not used")
    }
  }

  /// A server without metadata: its endpoints are named, and its origin names it.
  private mutating func useEndpoints() throws(SDKError) {
    let authorization = settings.settings.first { $0.key == "endpoints.authorization" }
    guard let url = authorization.flatMap({ try? HTTPURL($0.value) }) else {
      throw AppConfiguration.failure("it has no issuer and no authorization endpoint")
    }
    settings.settings += [("issuer", url.origin), ("discovery", "false")]
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

  /// The settings for the plain names; an empty one is read otherwise.
  private static let names = [
    "issuer": "issuer", "discoveryuri": "", "clientid": "clientID", "cliendid": "clientID",
    "clientsecret": "", "redirecturi": "redirectURI", "scope": "scope", "scopes": "scope",
    "authorizationscope": "scope",
    "authorizationendpoint": "endpoints.authorization",
    "authorizationendpointuri": "endpoints.authorization", "tokenendpoint": "endpoints.token",
    "tokenendpointuri": "endpoints.token",
    "registrationendpoint": "endpoints.registration",
    "registrationendpointuri": "endpoints.registration",
    "userinfoendpoint": "endpoints.userinfo", "userinfoendpointuri": "endpoints.userinfo",
    "endsessionendpoint": "endpoints.endSession",
    "endsessionendpointuri": "endpoints.endSession",
  ]
  private static let servers: Set = [
    "issuer", "discoveryuri", "authorizationendpoint", "authorizationendpointuri", "tokenendpoint",
    "tokenendpointuri",
  ]
}
