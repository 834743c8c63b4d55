import HTTP
import JOSE
import JSON
import Primitives

/// An authorization response as a token (JWT Secured Authorization Response Mode, JARM).
struct ResponseToken: Sendable {
  private let token: JWT

  /// Reads the `response` parameter; `nil` if it is not a token or repeated.
  init?(_ parameters: FormParameters, _ encryption: ResponseEncryption) {
    let values = parameters.values(of: "response")
    guard values.count == 1, let opened = try? encryption.opened(values[0], .authorization),
      let token = try? JWT(opened)
    else { return nil }
    self.token = token
  }

  /// The parameters of the response, which must not be trusted before ``verify(for:from:at:with:)``
  /// returns; the `iss` of the token is that of RFC 9207.
  var parameters: FormParameters {
    var parameters: FormParameters = [:]
    for name in ["code", "state", "iss", "error", "error_description"] {
      if let value = token.string(name) { parameters.append(name, value) }
    }
    return parameters
  }

  /// Checks the signature, audience, issuer and expiration of the response (section 2.4).
  func verify(
    for request: AuthorizationRequest, from server: ServerMetadata, at now: Timestamp,
    with keys: () throws(OAuthError) -> KeySet
  ) async throws(OAuthError) {
    var expectations = TokenExpectations(server, at: now)
    expectations.audiences = [request.clientID]
    do {
      try expectations.require(token)
    } catch {
      throw OAuthError(
        .untrusted, "the authorization response must not be trusted: \(error.message)")
    }
    try await keys().verify(
      token.jws, allowed: request.encryption.signatures(of: .authorization, from: server),
      noun: "the authorization response")
  }
}
