import HTTP
import OAuth

/// How a server departs from the standards, and what else a profile must say of it.
extension ProfileKey {
  static let quirks: [ProfileKey] = [
    ProfileKey(
      name: "passwordGrant", kind: .boolean,
      summary: "Whether login password is allowed (RFC 6749 section 4.3)"),
    ProfileKey(
      name: "narrowedRefresh", kind: .boolean,
      summary: "Allow a refresh with less scope; some servers then limit the whole login"),
    ProfileKey(
      name: "discovery", kind: .boolean,
      summary: "Whether the server has a metadata document; if not, set endpoints.*"),
    ProfileKey(
      name: "pkce", kind: .boolean,
      summary: "Whether login uses PKCE; false for a server that fails with it"),
    ProfileKey(
      name: "authorizationParameters", kind: .parameters,
      summary: "What login adds to the address that the browser opens"),
    ProfileKey(
      name: "basicEncoding", kind: .choice(["form", "raw"]),
      summary: "How a Basic credential is encoded; without it form is tried, then raw"),
    ProfileKey(
      name: "expiryMargin", kind: .seconds,
      summary: "How long before its end an access token counts as expired"),
    ProfileKey(
      name: "accountClient", kind: .choice(["id", "secret"]),
      summary: "What is sent as client_id to endpoints.account and endpoints.passwordReset"),
  ]

  /// Endpoints that no metadata document announces.
  static let ownEndpoints: [ProfileKey] = [
    ProfileKey(
      name: "endpoints.refresh", kind: .url,
      summary: "Where refresh tokens go, if not to the token endpoint"),
    ProfileKey(
      name: "endpoints.account", kind: .url,
      summary: "Where the server makes an account for an email address"),
    ProfileKey(
      name: "endpoints.passwordReset", kind: .url,
      summary: "Where the server resets the password of an email address"),
  ]

  /// Whether the parameters leave those alone that protect a login.
  static func areFree(_ text: String) -> Bool {
    guard let parameters = FormParameters(encoded: text), !parameters.isEmpty else { return false }
    return parameters.allSatisfy { !$0.name.isEmpty && !reserved.contains($0.name) }
  }

  private static let reserved: Set<String> = [
    "response_type", "response_mode", "client_id", "redirect_uri", "scope", "state", "nonce",
    "code_challenge", "code_challenge_method", "request", "request_uri", "resource",
  ]
}
