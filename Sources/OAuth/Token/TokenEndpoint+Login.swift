import HTTP

/// Grants by which a login needs no browser.
extension TokenEndpoint {
  /// Sends the name and password of a user (RFC 6749 section 4.3).
  package func password(
    of name: String, _ password: String, for target: TokenTarget
  ) async throws(OAuthError) -> TokenResponse {
    try await token(
      ["grant_type": "password", "username": name, "password": password], for: target)
  }

  /// Sends a signed assertion about a user (RFC 7523 section 2.1).
  package func assertion(
    _ assertion: String, for target: TokenTarget
  ) async throws(OAuthError) -> TokenResponse {
    try await token(["grant_type": Grant.assertion, "assertion": assertion], for: target)
  }

  /// Exchanges a token for one of this server (RFC 8693 section 2.1).
  ///
  /// A token of another server logs a user in; one of this server is narrowed.
  package func exchange(
    _ subject: SubjectToken, for target: TokenTarget
  ) async throws(OAuthError) -> TokenResponse {
    try await token(
      [
        "grant_type": Grant.tokenExchange, "subject_token": subject.text,
        "subject_token_type": subject.type.uri,
        "requested_token_type": SubjectToken.Kind.accessToken.uri,
      ], for: target)
  }

  private func token(
    _ parameters: FormParameters, for target: TokenTarget
  ) async throws(OAuthError) -> TokenResponse {
    var parameters = parameters
    parameters["scope"] = target.scope
    parameters.append(resources: target.resources)
    for audience in target.audiences { parameters.append("audience", audience) }
    return try await token(parameters)
  }
}

/// The scope and the resource servers that a token is requested for.
package struct TokenTarget: Sendable, Hashable {
  package var scope: String?
  /// Addresses of resource servers (RFC 8707).
  package var resources: [String]
  /// Names of resource servers, which only an exchange takes (RFC 8693 section 2.1).
  package var audiences: [String]

  package init(scope: String?, resources: [String] = [], audiences: [String] = []) {
    self.scope = scope
    self.resources = resources
    self.audiences = audiences
  }
}

/// A token that stands for a person at another server.
public struct SubjectToken: Sendable, Hashable {
  /// The types of RFC 8693 section 3 that stand for a person.
  public enum Kind: String, Sendable, CaseIterable {
    /// An access token.
    case accessToken = "access_token"
    /// An ID token of OpenID Connect.
    case idToken = "id_token"
    /// Another JWT.
    case jwt

    var uri: String { "urn:ietf:params:oauth:token-type:\(rawValue)" }
  }

  /// The token.
  public let text: String
  /// Its type.
  public let type: Kind

  /// Makes a subject token.
  public init(_ text: String, type: Kind) {
    self.text = text
    self.type = type
  }
}

extension FormParameters {
  mutating func append(resources: [String]) {
    for resource in resources { append("resource", resource) }
  }
}
