import HTTP
import JSON

/// The configuration of Nevis' Mobile Authentication SDK in an app, as settings of a profile.
///
/// The members stand in an object `sdk`, as in the property lists of the example apps, or by themselves
/// (docs/vendors.md).
public struct NevisConfiguration: Sendable {
  /// Keys and values as `profile set` takes them.
  public private(set) var settings: [(key: String, value: String)] = []
  /// What the configuration says and no setting has, a line each.
  public private(set) var notes: [String] = []

  /// Reads the dictionary of an app; `nil` if it names no server of Nevis.
  init?(_ members: JSONObject) throws(SDKError) {
    let sdk = members["sdk"]?.object ?? members
    guard sdk["baseUrl"] != nil || sdk["hostName"] != nil else { return nil }
    if let host = sdk["hostName"] {
      guard let name = host.string else { throw AppConfiguration.failure("hostName is not a text") }
      settings.append(
        try AppConfiguration.setting("fido.url", to: "https://\(name)/_app", named: "hostName"))
    }
    for (name, key) in Self.texts {
      guard let value = sdk[name] else { continue }
      settings.removeAll { $0.key == key }
      settings.append(try AppConfiguration.setting(key, to: value, named: name))
    }
    if sdk["authenticationRequestPath"]?.string?.hasSuffix("/fidouaf") == true {
      settings.append(("fido.requestForm", "username"))
    }
    for (names, key) in Self.numbers {
      guard let name = names.first(where: { sdk[$0] != nil }), let value = sdk[name] else {
        continue
      }
      guard let text = value.int.map(String.init) ?? value.string else {
        throw AppConfiguration.failure("\(name) is not a number")
      }
      settings.append(try AppConfiguration.setting(key, to: text, named: name))
    }
    if let url = members["login"]?["loginRequestURL"] {
      let login = try AppConfiguration.setting("form.url", to: url, named: "loginRequestURL")
      settings += [login] + Self.login
    }
    settings.append(("reauthenticate", "fido"))
    notes = Self.notes(members, sdk)
  }

  private static func notes(_ members: JSONObject, _ sdk: JSONObject) -> [String] {
    var notes: [String] = []
    if let list = members["authenticatorAllowlist"]?.strings, !list.isEmpty {
      notes.append(
        "the app accepts the authenticators \(list.joined(separator: ", ")); fido.aaid names that "
          + "of this program")
    }
    if sdk["deviceResourcePath"] != nil { notes.append("deviceResourcePath is not used") }
    return notes
  }

  private static let texts = [
    ("baseUrl", "fido.url"), ("registrationRequestPath", "fido.registrationRequestPath"),
    ("registrationResponsePath", "fido.registrationResponsePath"),
    ("authenticationRequestPath", "fido.authenticationRequestPath"),
    ("authenticationResponsePath", "fido.authenticationResponsePath"),
    ("deregistrationRequestPath", "fido.deregistrationRequestPath"),
    ("dispatchTargetResourcePath", "fido.dispatchTargetResourcePath"),
  ]

  /// As the property lists of the example apps name them, and as the SDK for React Native does.
  private static let numbers = [
    (["networkTimeoutInSeconds", "networkTimeout"], "fido.networkTimeout"),
    (["authenticationMaxRetries"], "fido.authenticationMaxRetries"),
    (
      ["authenticationRetryIntervalInSeconds", "authenticationRetryInterval"],
      "fido.authenticationRetryInterval"
    ),
    (["userInteractionTimeoutInSeconds", "userInteractionTimeout"], "fido.userInteractionTimeout"),
  ]

  /// The login of the example apps: a POST of two fields, without a page.
  private static let login = [
    (key: "form.page", value: "false"), (key: "form.userField", value: "isiwebuserid"),
    (key: "form.passwordField", value: "isiwebpasswd"),
  ]
}
