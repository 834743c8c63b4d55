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
  /// - Parameters:
  ///   - authorization: the field with the access token.
  ///   - certificate: the one that the token is bound to (RFC 8705); `nil` for most tokens.
  ///   - subject: the `sub` of the ID token, which the response must have too; `nil` without one.
  ///   - now: the time.
  ///   - keys: finds the published keys of the server, for a signed response.
  /// - Returns: the claims.
  /// - Throws: ``OAuthError``; `untrusted` when they are about somebody else or not the server's.
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
      let text = String(decoding: response.body, as: UTF8.self).filter { !$0.isWhitespace }
      claims = try await self.claims(inToken: text, at: now, with: keys)
    } else {
      guard !isToken else {
        throw untrusted(
          "it is not a token, though the client registered signed or encrypted userinfo")
      }
      claims = try ServerClient.object(response)
    }
    guard let found = claims["sub"]?.string, !found.isEmpty else {
      throw untrusted("it names no subject")
    }
    // Section 5.3.2: claims about another user must not be used.
    guard subject == nil || sameIdentifier(found, subject) else {
      throw untrusted("it is about another user than the ID token")
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
    let token: JWT
    do {
      token = try JWT(opened)
      // Section 5.3.2: it should name both, and they must be right.
      var expectations = TokenExpectations(server, at: now)
      if token.issuer == nil { (expectations.issuer, expectations.tenantIssuer) = (nil, nil) }
      expectations.audiences = token.audience.isEmpty ? [] : [clientID]
      expectations.requiresExpiration = false
      try expectations.require(token)
    } catch {
      throw untrusted(error.message)
    }
    try await keys().verify(
      token.jws, allowed: encryption.signatures(of: .userInfo, from: server),
      noun: "the userinfo response")
    return token.claims.object ?? [:]
  }

  private func untrusted(_ cause: String) -> OAuthError {
    OAuthError(.untrusted, "the userinfo response must not be trusted: \(cause)")
  }
}
