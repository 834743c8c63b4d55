package import HTTP
import JOSE
package import JSON
package import Primitives

extension ServerClient {
  /// The claims of the userinfo endpoint about the user (OpenID Connect Core 1.0 section 5.3), as JSON or as a signed
  /// or encrypted token.
  ///
  /// The subject is that of the ID token, which the response must have too; the certificate is the one that the token
  /// is bound to (RFC 8705).
  package func userInfo(
    from server: ServerMetadata, for clientID: String, by authorization: HTTPField,
    _ certificate: ClientCertificate? = nil, subject: String?, encryption: ResponseEncryption,
    at now: Timestamp, with keys: () throws(OAuthError) -> KeySet
  ) async throws(OAuthError) -> JSONObject {
    let isToken = encryption.isToken(.userInfo)
    let url = try server.required(.userinfo)
    var request = HTTPRequest(
      .get, url,
      fields: [
        authorization,
        HTTPField(known: "Accept", isToken ? "application/jwt" : "application/json"),
      ])
    request.clientCertificate = certificate
    let sent = request
    let response = try await proving(at: url) { () async throws(OAuthError) in
      try await success(sent)
    }
    let claims: JSONObject
    if response.mediaType == "application/jwt" {
      claims = try await signedClaims(
        response.tokenText, from: server, for: clientID, encryption, at: now, with: keys)
    } else {
      guard !isToken else {
        throw .untrusted(
          noun, "it is not a token, though the client registered signed or encrypted userinfo")
      }
      claims = try Self.object(response)
    }
    guard let found = claims["sub"]?.string, !found.isEmpty else {
      throw .untrusted(noun, "it names no subject")
    }
    // Section 5.3.2: claims about another user must not be used.
    guard subject == nil || sameIdentifier(found, subject) else {
      throw .untrusted(noun, "it is about another user than the ID token")
    }
    return claims
  }

  private func signedClaims(
    _ text: String, from server: ServerMetadata, for clientID: String,
    _ encryption: ResponseEncryption, at now: Timestamp,
    with keys: () throws(OAuthError) -> KeySet
  ) async throws(OAuthError) -> JSONObject {
    let opened = try encryption.decrypted(text, .userInfo)
    if opened != text, encryption.signature(of: .userInfo) == nil,
      let claims = try? JSON(parsing: opened).object
    {
      return claims
    }
    let response = try SignedResponse(opened, noun)
    // Section 5.3.2: it should name both, and they must be right.
    var expectations = TokenExpectations(server, for: clientID, at: now)
    if response.token.issuer == nil {
      (expectations.issuer, expectations.tenantIssuer) = (nil, nil)
    }
    if response.token.audience.isEmpty { expectations.audiences = [] }
    expectations.requiresExpiration = false
    try await response.verify(
      expectations, allowed: encryption.signatures(of: .userInfo, from: server), with: keys)
    return response.token.claims.object ?? [:]
  }
}

private let noun = ResponseEncryption.Kind.userInfo.noun
