public import JSON
public import Pinning
public import SDKCore

/// Settings for a provider that is known, by name: `profile add --preset NAME`.
///
/// A preset writes keys and is then forgotten; nothing in the program knows it.
public struct ProfilePreset: Sendable, CustomStringConvertible {
  /// Its name.
  public let name: String
  /// Its name.
  public var description: String { name }

  /// The form of the issuer's URL, with words in capitals that differ for each customer; `nil` if the preset has
  /// the issuer.
  public private(set) var issuerForm: String?
  /// What a person does at the provider first, and where; `nil` if the client registers itself.
  public private(set) var registration: String?
  /// The words of the registration with the client that exists there.
  public private(set) var registering: [String] = []
  /// Which keys of its hosts are pinned: leaf keys that a provider often replaces would lock out.
  public private(set) var pinRole = PinRole.root
  /// Keys and values as `profile set` takes them.
  public let settings: [(key: String, value: String)]

  /// All presets.
  public static let all: [ProfilePreset] = [
    google, entra, github, gitlab, keycloak, okta, auth0, cognito, sequencing,
  ]

  /// The preset of that name.
  public static func named(_ name: String) -> ProfilePreset? { all.first { $0.name == name } }

  /// The value of a key as it is typed; `nil` when the preset does not set it.
  public subscript(key: String) -> String? { settings.first { $0.key == key }?.value }

  /// The settings as they stand in a profile.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if a value of the preset is wrong.
  public func members() throws(SDKError) -> [(key: String, value: JSON)] {
    var members: [(key: String, value: JSON)] = []
    for (key, text) in settings {
      guard let row = SettingTable.core.named(key) else { continue }
      members.append((key, try row.value(from: text)))
    }
    return members
  }

  private static let withSecret = ["client-id ID", "client-secret-file FILE"]
  private static let withFixedPort = [
    "client-id ID", "redirect-uri http://localhost:8976/callback",
  ]

  /// See docs/providers.md for the sources of what follows.
  private static let google = ProfilePreset(
    name: "google",
    registration:
      "create an OAuth client of the type 'Desktop app' at https://console.cloud.google.com/apis/credentials",
    registering: withSecret,
    settings: [
      ("issuer", "https://accounts.google.com"), ("resourceURL", "https://www.googleapis.com"),
      ("scope", "openid email profile"),
      ("authorizationParameters", "access_type=offline&prompt=consent"),
    ])

  private static let entra = ProfilePreset(
    name: "entra", issuerForm: "https://login.microsoftonline.com/TENANT/v2.0",
    registration:
      "register an application at https://entra.microsoft.com with the platform 'Mobile and desktop "
      + "applications' and the redirect URI http://localhost",
    registering: ["client-id ID", "redirect-uri http://localhost"],
    settings: [
      ("resourceURL", "https://graph.microsoft.com/v1.0"),
      ("scope", "openid profile offline_access User.Read"),
    ])

  /// There is no metadata document; tokens of an OAuth app do not expire, and cannot be refreshed.
  private static let github = ProfilePreset(
    name: "github",
    registration:
      "create an OAuth app at https://github.com/settings/developers with the callback URL "
      + "http://127.0.0.1/callback",
    registering: withSecret + ["auth-method client_secret_post"],
    settings: [
      ("issuer", "https://github.com"), ("resourceURL", "https://api.github.com"),
      ("discovery", "false"), ("scope", "read:user"),
      ("endpoints.authorization", "https://github.com/login/oauth/authorize"),
      ("endpoints.token", "https://github.com/login/oauth/access_token"),
      ("endpoints.deviceAuthorization", "https://github.com/login/device/code"),
    ])

  private static let gitlab = ProfilePreset(
    name: "gitlab",
    registration:
      "create an application at https://gitlab.com/-/user_settings/applications, not confidential, with "
      + "the redirect URI http://localhost:8976/callback",
    registering: withFixedPort,
    settings: [
      ("issuer", "https://gitlab.com"), ("resourceURL", "https://gitlab.com/api/v4"),
      ("scope", "openid read_user"),
    ])

  private static let keycloak = ProfilePreset(
    name: "keycloak", issuerForm: "https://HOST/realms/REALM",
    registration:
      "create a client in the realm, with standard flow and the redirect URI http://127.0.0.1/*, or get an "
      + "initial access token",
    registering: ["client-id ID"], pinRole: .leaf,
    settings: [("scope", "openid offline_access")])

  private static let okta = ProfilePreset(
    name: "okta", issuerForm: "https://ORGANISATION.okta.com/oauth2/default",
    registration:
      "create a native application in the console, with the grant 'Refresh Token' and the redirect URI "
      + "http://localhost:8976/callback",
    registering: withFixedPort,
    settings: [("scope", "openid profile offline_access")])

  private static let auth0 = ProfilePreset(
    name: "auth0", issuerForm: "https://TENANT.REGION.auth0.com/",
    registration:
      "create a native application in the dashboard with the callback URL http://localhost:8976/callback, and "
      + "allow offline access for your API; its audience belongs in the setting authorizationParameters",
    registering: withFixedPort,
    settings: [("scope", "openid profile offline_access")])

  private static let cognito = ProfilePreset(
    name: "cognito", issuerForm: "https://cognito-idp.REGION.amazonaws.com/POOL",
    registration:
      "create a public app client of the user pool, with a domain, the authorization code grant and the "
      + "callback URL http://localhost:8976/callback",
    registering: withFixedPort,
    settings: [("scope", "openid profile")])

  /// As version 2.0.5 of its library for iOS uses it; see docs/vendors.md.
  private static let sequencing = ProfilePreset(
    name: "sequencing",
    settings: [
      ("issuer", "https://sequencing.com"), ("resourceURL", "https://api.sequencing.com"),
      ("discovery", "false"), ("pkce", "false"), ("authorizationParameters", "mobile=1"),
      ("basicEncoding", "raw"), ("expiryMargin", "600"), ("accountClient", "secret"),
      ("endpoints.authorization", "https://sequencing.com/oauth2/authorize"),
      ("endpoints.token", "https://sequencing.com/oauth2/token"),
      ("endpoints.refresh", "https://sequencing.com/oauth2/token?q=oauth2/token"),
      ("endpoints.account", account("seq_register")),
      ("endpoints.passwordReset", account("seq_new_pass")),
    ])

  private static func account(_ call: String) -> String {
    "https://sequencing.com/indexApi.php?q=sequencing/public/webservice/user/\(call).json"
  }
}
