import Primitives

/// Which parameters and header fields are secrets: the one list for errors and traces.
package enum SecretNames {
  /// Whether a parameter of a form, a query or a JSON object is a secret.
  package static func isSecret(parameter name: String) -> Bool {
    let name = name.asciiLowercased
    return parameters.contains(name) || (name.hasSuffix("token") && !cursors.contains(name))
      || isChosen(name)
      || ["csrf", "saml"].contains { name.containsText($0) }
  }

  /// Whether the value of a header field is a secret.
  package static func isSecret(field name: String) -> Bool {
    let name = name.asciiLowercased
    return fields.contains(name) || isChosen(name)
      || ["auth", "cookie", "session", "key", "token"].contains { name.containsText($0) }
  }

  /// Whether people or servers choose the value, so that it may have any length.
  ///
  /// The other secrets are long; to redact short ones would remove ordinary words.
  package static func isChosen(_ name: String) -> Bool {
    let name = name.asciiLowercased
    return chosen.contains(name) || words.contains { name.containsText($0) }
  }

  /// The length of a secret that is so short that its redaction could reveal it.
  package static let short = 6

  private static let chosen: Set<String> = ["pin", "pw", "pass", "otp", "totp", "tan"]
  private static let words = [
    "password", "secret", "passwd", "passphrase", "passcode", "pwd", "api_key", "apikey", "api-key",
  ]
  private static let parameters: Set<String> = [
    "code", "assertion", "device_code", "code_verifier", "client_assertion", "id_token_hint",
    "request", "response", "d", "k", "sessionid", "dispatchtokenresponse",
  ]
  /// Positions in a list, which a person needs to go on with it.
  private static let cursors: Set<String> = [
    "pagetoken", "page_token", "nexttoken", "next_token", "nextpagetoken", "next_page_token",
    "continuationtoken", "continuation_token", "continuation-token", "skiptoken", "$skiptoken",
  ]
  private static let fields: Set<String> = ["dpop", "dpop-nonce"]
}
