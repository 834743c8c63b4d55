import HTTP
import JOSE
import JSON
import Primitives

/// An authorization response as a token (JWT Secured Authorization Response Mode, JARM).
struct ResponseToken: Sendable {
  private let response: SignedResponse

  /// Reads the `response` parameter; `nil` if it is not a token or repeated.
  init?(_ parameters: FormParameters, _ encryption: ResponseEncryption) {
    let values = parameters.values(of: "response")
    guard values.count == 1, let opened = try? encryption.opened(values[0], .authorization),
      let response = try? SignedResponse(opened, ResponseEncryption.Kind.authorization.noun)
    else { return nil }
    self.response = response
  }

  /// The parameters of the response, which must not be trusted before ``verify(for:from:at:with:)``
  /// returns; the `iss` of the token is that of RFC 9207.
  var parameters: FormParameters {
    var parameters: FormParameters = [:]
    for name in ["code", "state", "iss", "error", "error_description"] {
      if let value = response.token.string(name) { parameters.append(name, value) }
    }
    return parameters
  }

  /// Checks the signature, audience, issuer and expiration of the response (section 2.4).
  func verify(
    for request: AuthorizationRequest, from server: ServerMetadata, at now: Timestamp,
    with keys: () throws(OAuthError) -> KeySet
  ) async throws(OAuthError) {
    try await response.verify(
      TokenExpectations(server, for: request.clientID, at: now),
      allowed: request.encryption.signatures(of: .authorization, from: server), with: keys)
  }
}
