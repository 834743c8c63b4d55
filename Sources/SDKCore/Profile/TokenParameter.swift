import HTTP

/// One parameter that a profile or a login adds to token requests.
///
/// A value `@FILE` is the secret that the file has: it is read for each request, and is not shown.
public struct TokenParameter: Sendable, Hashable {
  /// The name.
  public let name: String
  /// The value, or `@` and the file that has it.
  public let value: String

  /// Checks a parameter; `nil` if the name is empty, or one that the program sets itself.
  public init?(name: String, value: String) {
    guard !name.isEmpty, !Self.reserved.contains(name), value != "@" else { return nil }
    self.name = name
    self.value = value
  }

  /// Reads `NAME=VALUE`.
  public init?(_ text: String) {
    let name = text.prefix { $0 != "=" }
    guard name.endIndex < text.endIndex else { return nil }
    self.init(name: String(name), value: String(text[name.endIndex...].dropFirst()))
  }

  var file: String? { value.hasPrefix("@") ? String(value.dropFirst()) : nil }

  /// What the program sends itself: grants, credentials of the client, and what a token is for.
  private static let reserved: Set<String> = [
    "grant_type", "code", "code_verifier", "redirect_uri", "client_id", "client_secret",
    "client_assertion", "client_assertion_type", "refresh_token", "scope", "resource", "username",
    "password", "assertion", "device_code", "subject_token", "subject_token_type", "actor_token",
    "actor_token_type", "requested_token_type",
  ]
}

extension [TokenParameter] {
  /// Reads `NAME=VALUE&NAME=VALUE`, encoded as a form; files must be absolute paths.
  init?(encoded text: String) {
    guard let form = FormParameters(encoded: text), !form.isEmpty else { return nil }
    var parameters: [TokenParameter] = []
    for pair in form {
      guard let parameter = TokenParameter(name: pair.name, value: pair.value),
        parameter.file?.hasPrefix("/") != false
      else { return nil }
      parameters.append(parameter)
    }
    self = parameters
  }

  var secretNames: [String] { filter { $0.file != nil }.map(\.name) }

  /// These, and those of the other list whose names are not among them.
  func overriding(_ other: [TokenParameter]) -> [TokenParameter] {
    other.filter { parameter in !contains { $0.name == parameter.name } } + self
  }
}
