public import JSON

/// Settings for a provider that is known, by name: `profile add --preset NAME`.
///
/// A preset writes keys and is then forgotten; nothing in the program knows it.
public struct ProfilePreset: Sendable, CustomStringConvertible {
  /// Its name.
  public let name: String
  /// Keys and values as `profile set` takes them.
  public let settings: [(key: String, value: String)]

  /// Its name.
  public var description: String { name }

  /// All presets.
  public static let all: [ProfilePreset] = [sequencing]

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
      guard let row = ProfileKey.named(key) else { continue }
      members.append((key, try row.value(from: text)))
    }
    return members
  }

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
