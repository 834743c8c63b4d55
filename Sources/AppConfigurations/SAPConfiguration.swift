import HTTP
import JSON
public import Pinning
import Primitives
public import SDKCore

/// The configuration of SAP's certificate discovery in an app, as settings of a profile.
///
/// A dictionary in JSON or an XML property list, with keys that begin with
/// `com.sap.mobilesecure.certificateService.`, or with the parameters of the SDK's initialiser below
/// `userIdentityConfigurationParameters` and `oAuth2AuthenticationParameters` (docs/vendors.md).
public struct SAPConfiguration: Sendable {
  /// Keys and values as `profile set` takes them.
  public private(set) var settings: [(key: String, value: String)] = [
    ("identity.obtain", "sap"), ("identity.token", "user"),
  ]
  /// The same of the profile whose login the service accepts.
  ///
  /// A profile of its own has them, so that secrets of another login are never sent to their endpoints.
  public private(set) var login: [(key: String, value: String)] = [("discovery", "false")]
  /// The hosts of the service, each once.
  public private(set) var hosts: [String] = []
  /// The pins of the service's keys.
  public private(set) var pins: [Pin] = []
  /// A set with the pins for each host; none without pins.
  public var pinSets: [PinSet] {
    let keys = pins.map { PinnedKey(pin: $0, role: .backup) }
    return keys.isEmpty ? [] : hosts.compactMap { PinPattern($0).map { PinSet($0, keys: keys) } }
  }
  /// Where a login leads back to the app.
  public private(set) var redirectURI: String?

  /// Whether a key of the dictionary of an app begins with the prefix.
  static func isMeant(by document: JSONObject) -> Bool {
    flat(document).keys.contains { $0.hasPrefix(prefix) }
  }

  init(_ document: JSONObject, _ table: SettingTable) throws(SDKError) {
    let members = Self.flat(document)
    if let application = document["applicationID"] {
      settings.append(
        try AppConfiguration.setting("applicationID", to: application, named: "applicationID"))
    }
    for (name, key) in Self.endpoints {
      guard let value = members[Self.prefix + name] else { continue }
      settings.append(try AppConfiguration.setting(key, to: value, named: name, in: table))
      if let url = try? HTTPURL(value.string ?? ""), !hosts.contains(url.authority) {
        hosts.append(url.authority)
      }
    }
    for value in members[Self.prefix + "publicKeyPinSet"]?.array ?? [] {
      guard let pin = value.string.flatMap({ Pin($0) ?? Pin("sha256/" + $0) }) else {
        throw AppConfiguration.failure(
          "publicKeyPinSet has a value that is not a SHA-256 in base64")
      }
      pins.append(pin)
    }
    guard let login = members[Self.prefix + "authType"] else {
      throw AppConfiguration.failure(
        "it has no authType, so it does not say whose login the service accepts")
    }
    guard login["type"]?.string == "oauth" else {
      throw AppConfiguration.failure("the type of authType is not 'oauth'")
    }
    for (name, key) in Self.login {
      guard let value = login[name] else { continue }
      self.login.append(try AppConfiguration.setting(key, to: value, named: "authType.\(name)"))
    }
    redirectURI = login["redirect_uri"]?.string
  }

  /// The members by their long names, also if they stand below the names of the initialiser's parameters.
  private static func flat(_ document: JSONObject) -> JSONObject {
    guard let parameters = document["userIdentityConfigurationParameters"]?.object else {
      return document
    }
    var members = JSONObject(
      parameters.map { ($0.key.hasPrefix(prefix) ? $0.key : prefix + $0.key, $0.value) })
    if let login = document["oAuth2AuthenticationParameters"]?.object {
      var known: JSONObject = ["type": "oauth"]
      for (name, value) in login { known[names[name] ?? name] = value }
      members[prefix + "authType"] = .object(known)
    }
    return members
  }

  /// The profile of the login: a new one with the trust settings of `profile`, or what `stored` becomes.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if its name would be too long.
  public func loginProfile(of profile: Profile, stored: Profile?) throws(SDKError) -> Profile {
    var result =
      if let stored { stored } else {
        try Profile(name: try Self.loginName(of: profile), settings: profile.settings)
      }
    for key in Self.inheritedKeys.sorted() where stored == nil {
      try result.set(key, to: profile[key])
    }
    for (key, text) in login {
      try result.set(key, to: try result.settings.named(key)?.value(from: text))
    }
    // The configuration names no issuer; the endpoints are all named.
    let url = result.ownEndpoint("authorization")
    if stored == nil, let url { try result.set("issuer", to: .string(url.origin)) }
    return result
  }

  /// The name of the profile of the login.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if it would be too long.
  public static func loginName(of profile: Profile) throws(SDKError) -> ProfileName {
    try ProfileName("\(profile.name)-certificates")
  }

  /// What a new profile of the login has from the profile that it is for.
  public static let inheritedKeys: Set = ["caFile", "pinPolicy", "insecureLoopback"]

  static let prefix = "com.sap.mobilesecure.certificateService."
  private static let endpoints = [
    ("attributesEndpoint", "identity.attributesURL"), ("requestEndpoint", "identity.requestURL"),
    ("retireEndpoint", "identity.retireURL"),
  ]
  /// The names of the initialiser's parameters that differ from those of the dictionary.
  private static let names = [
    "authorizationEndpointURL": "authorizationEndpoint", "tokenEndpointURL": "tokenEndpoint",
    "clientID": "client_id", "redirectURL": "redirect_uri",
  ]
  private static let login = [
    ("authorizationEndpoint", "endpoints.authorization"), ("tokenEndpoint", "endpoints.token"),
    ("client_id", "clientID"), ("scope", "scope"),
  ]
}
