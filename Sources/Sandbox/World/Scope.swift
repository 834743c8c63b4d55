/// The scope values of the sandbox and what a person is told about each.
enum Scope {
  static let meanings: KeyValuePairs<String, String> = [
    "openid": "Know who you are",
    "profile": "See your name and user name",
    "email": "See your e-mail address",
    "read": "Read your resources",
    "write": "Change your resources",
    "application-details": "See the details of this application",
    "offline_access": "Stay signed in while you are away",
  ]

  static let all = meanings.map(\.key)

  /// What a grant without a person at a page gets if neither it nor the registration names a scope.
  static let standard = ["openid", "profile", "email", "read", "write"]

  /// What client credentials get when no scope is named: nothing of a person.
  static let impersonal: Set<String> = ["read", "write", "application-details"]

  static func split(_ text: String?) -> [String] {
    var seen: Set<String> = []
    return (text ?? "").split(separator: " ").map(String.init).filter { seen.insert($0).inserted }
  }

  static func join(_ scopes: [String]) -> String { scopes.joined(separator: " ") }

  static func meaning(_ scope: String) -> String {
    meanings.first { $0.key == scope }?.value ?? scope
  }

  /// The scopes a request may have: each must be known, and registered if the client named any.
  static func allowed(
    _ requested: String?, for client: Client, otherwise standard: [String]
  )
    throws(OAuthError) -> [String]
  {
    let asked = split(requested)
    guard !asked.isEmpty else {
      return client.scopes.isEmpty ? standard : client.scopes
    }
    for scope in asked {
      guard all.contains(scope), client.scopes.isEmpty || client.scopes.contains(scope) else {
        throw .invalidScope("scope '\(printable(scope))' is not available to this client")
      }
    }
    return asked
  }

  /// The scopes that a person is asked to allow: as strict servers do, none is assumed.
  static func asked(
    _ requested: String?, by client: Client, grantsDefault: () -> Bool
  ) throws(OAuthError) -> [String] {
    guard !split(requested).isEmpty || grantsDefault() else {
      throw .invalidScope("a scope is required")
    }
    return try allowed(requested, for: client, otherwise: standard)
  }

  /// The scopes of a narrower token: a part of what was granted.
  static func narrowed(
    _ requested: String?, from granted: [String]
  ) throws(OAuthError)
    -> [String]
  {
    let asked = split(requested)
    guard !asked.isEmpty else { return granted }
    guard Set(asked).isSubset(of: Set(granted)) else {
      throw .invalidScope("the scope goes beyond what was granted")
    }
    return asked
  }

  /// A client's text as it may stand in an error: printable ASCII without quote and backslash.
  private static func printable(_ text: String) -> String {
    String(
      text.unicodeScalars.prefix(64).filter { $0.value > 0x20 && $0.value < 0x7f }
        .map(Character.init).filter { $0 != "\"" && $0 != "\\" })
  }
}
