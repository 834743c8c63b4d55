package import HTTP
import JOSE
package import JSON
package import Primitives

/// The userinfo endpoint of a server (OpenID Connect Core 1.0 section 5.3).
package struct UserInfo: Sendable {
  package let server: ServerMetadata
  package let clientID: String
  package let encryption: ResponseEncryption
  package let serverClient: ServerClient

  package init(
    server: ServerMetadata, clientID: String, encryption: ResponseEncryption,
    over serverClient: ServerClient
  ) {
    self.server = server
    self.clientID = clientID
    self.encryption = encryption
    self.serverClient = serverClient
  }

  /// The claims about the user, as JSON or as a signed or encrypted token.
  ///
  /// The subject is that of the ID token, which the response must have too; the certificate is the one that the token
  /// is bound to (RFC 8705).
  package func claims(
    _ authorization: HTTPField, _ certificate: ClientCertificate? = nil, subject: String?,
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
    let response = try await serverClient.proving(at: url) { () async throws(OAuthError) in
      try await serverClient.success(sent)
    }
    let claims: JSONObject
    if response.mediaType == "application/jwt" {
      claims = try await self.claims(inToken: response.tokenText, at: now, with: keys)
    } else {
      guard !isToken else {
        throw .untrusted(
          Self.noun, "it is not a token, though the client registered signed or encrypted userinfo")
      }
      claims = try ServerClient.object(response)
    }
    guard let found = claims["sub"]?.string, !found.isEmpty else {
      throw .untrusted(Self.noun, "it names no subject")
    }
    // Section 5.3.2: claims about another user must not be used.
    guard subject == nil || sameIdentifier(found, subject) else {
      throw .untrusted(Self.noun, "it is about another user than the ID token")
    }
    return claims
  }

  private func claims(
    inToken text: String, at now: Timestamp, with keys: () throws(OAuthError) -> KeySet
  ) async throws(OAuthError) -> JSONObject {
    let opened = try encryption.opened(text, .userInfo)
    if opened != text, encryption.signature(of: .userInfo) == nil,
      let claims = try? JSON(parsing: opened).object
    {
      return claims
    }
    let response = try SignedResponse(opened, Self.noun)
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

  private static let noun = ResponseEncryption.Kind.userInfo.noun
}
