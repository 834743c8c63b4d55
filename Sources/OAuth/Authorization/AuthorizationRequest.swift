package import HTTP
import JSON
import Primitives

/// A request for an authorization code (RFC 6749 section 4.1.1, OpenID Connect Core 3.1.2.1).
///
/// Made once for a login: `state`, `nonce` and PKCE belong together.
package struct AuthorizationRequest: Sendable {
  package let endpoint: HTTPURL
  package let clientID: String
  package let redirectURI: String
  package let scope: String?
  package let state: String
  /// Sent with every request; an ID token must contain it.
  package let nonce: String
  /// `nil` for a server without support for it.
  package let pkce: PKCE?
  /// Further parameters: `prompt`, `login_hint`, `acr_values`, ….
  package let parameters: FormParameters
  /// Decrypts a response that is a token (JARM).
  package var encryption = ResponseEncryption(key: nil, client: [:])

  package init(
    endpoint: HTTPURL, clientID: String, redirectURI: String, scope: String?,
    parameters: FormParameters = [:], usesPKCE: Bool = true
  ) throws(OAuthError) {
    self.endpoint = endpoint
    self.clientID = clientID
    self.redirectURI = redirectURI
    self.scope = scope
    self.parameters = parameters
    state = try randomText(bytes: 24)
    nonce = try randomText(bytes: 24)
    pkce = usesPKCE ? try PKCE() : nil
  }

  /// Whether the response must be a token.
  var expectsToken: Bool {
    parameters["response_mode"].flatMap(ResponseMode.init(identifier:))?.isToken ?? false
  }

  /// All parameters of the request.
  package var query: FormParameters {
    var query: FormParameters = [
      "response_type": "code", "client_id": clientID, "redirect_uri": redirectURI,
    ]
    if let scope, !scope.isEmpty { query["scope"] = scope }
    query["state"] = state
    query["nonce"] = nonce
    if let pkce {
      query["code_challenge"] = pkce.challenge
      query["code_challenge_method"] = "S256"
    }
    for pair in parameters { query.append(pair.name, pair.value) }
    return query
  }
}

extension FormParameters {
  /// Adds `prompt=consent`, without which servers ignore `offline_access` (OpenID Connect
  /// Core 1.0 section 11), unless the request is silent or a sign-up.
  package mutating func askForConsent() {
    let words = (self["prompt"] ?? "").words
    guard Set(words).isSubset(of: ["login", "select_account"]) else { return }
    self["prompt"] = (words + ["consent"]).joined(separator: " ")
  }
}
