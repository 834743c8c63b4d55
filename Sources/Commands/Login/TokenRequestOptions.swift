import Arguments
import HTTP
import SDKCore

// Options that several commands have: what the requested tokens are like.
extension Option {
  /// `--scope`.
  static func scope(_ path: any Path<String?>) -> Self {
    .value("scope", "SCOPE", path, "Request this scope instead of the profile's")
      .allowingEmpty()
  }

  /// `--resource`, which may be repeated (RFC 8707).
  static func resources(_ path: any Path<[String]>) -> Self {
    .list("resource", "URL", path, "Request tokens for this resource server") {
      (text) throws(ValueError) in
      guard (try? HTTPURL(text)) != nil, !text.utf8.contains(UInt8(ascii: "#")) else {
        throw ValueError("expected an https URL without fragment")
      }
      return text
    }
  }
}

extension TokenParameter: ArgumentValue {
  /// Reads an argument.
  static func reading(_ text: String) throws(ValueError) -> TokenParameter {
    guard let parameter = TokenParameter(text) else {
      throw ValueError("expected NAME=VALUE or NAME=@FILE, and no name that token requests have")
    }
    return parameter
  }
}

extension Option {
  /// `--token-param`, which may be repeated.
  static func tokenParameters(_ path: any Path<[TokenParameter]>) -> Self {
    .list("token-param", "NAME=VALUE", path, "Add a parameter to the token request")
      .more(
        """
        `NAME=@FILE` sends the secret in a file. Later refreshes do not have it: the setting \
        `tokenParameters` adds parameters to every token request.
        """)
  }
}

extension CredentialSlot {
  /// The option that selects the slot, after a space; empty for the user's.
  var option: String {
    switch self {
    case .user: ""
    case .implicit: " --implicit"
    case .anonymous: " --anonymous"
    }
  }

  /// `--user`, `--implicit` and `--anonymous`; the verb begins their help: "Print".
  static func options<Arguments>(
    _ path: any Option<Arguments>.Path<CredentialSlot>, _ verb: String
  ) -> [Option<Arguments>] {
    rows(path, verb) { $0 }
  }

  /// The same options of a command to which it matters whether one is given.
  static func options<Arguments>(
    _ path: any Option<Arguments>.Path<CredentialSlot?>, _ verb: String
  ) -> [Option<Arguments>] {
    rows(path, verb) { $0 }
  }

  private static func rows<Arguments, Value: Sendable>(
    _ path: any Option<Arguments>.Path<Value>, _ verb: String, _ value: (CredentialSlot) -> Value
  ) -> [Option<Arguments>] {
    let rows: [Option<Arguments>] = [
      .flag("user", path, setting: value(.user), "\(verb) the user's tokens (default)"),
      .flag("implicit", path, setting: value(.implicit), "\(verb) the user's implicit token"),
      .flag("anonymous", path, setting: value(.anonymous), "\(verb) this installation's token"),
    ]
    return rows.map { $0.exclusive("slot") }
  }
}

extension Access {
  /// `--user`, `--implicit` and `--anonymous` of a request; the verb begins their help: "Fetch".
  static func options<Arguments>(
    _ path: any Option<Arguments>.Path<Access?>, _ verb: String
  ) -> [Option<Arguments>] {
    let rows: [Option<Arguments>] = [
      .flag("user", path, setting: .user, "\(verb) as the user"),
      .flag("implicit", path, setting: .implicit, "\(verb) with the user's implicit token"),
      .flag("anonymous", path, setting: .anonymous, "\(verb) as this installation"),
    ]
    return rows.map { $0.exclusive("access") }
  }
}
