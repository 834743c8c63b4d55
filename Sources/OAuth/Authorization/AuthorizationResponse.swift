import HTTP
import JOSE

/// What came back to the redirect URI (RFC 6749 section 4.1.2, RFC 9207).
package struct AuthorizationResponse: Sendable {
  private let parameters: FormParameters

  /// Reads an encoded query or form; `nil` when it is neither.
  package init?(encoded text: String) {
    guard text.utf8.count <= 16384, let parameters = FormParameters(encoded: text) else {
      return nil
    }
    self.parameters = parameters
  }

  /// Whether the response answers that request: its `state` decides and nothing else.
  package func answers(_ request: AuthorizationRequest) -> Bool {
    let states = parameters.values(of: "state")
    return states.count == 1 && Base64URL.matches(states[0], request.state)
  }

  /// The code, once everything about the response is right.
  ///
  /// - Throws: ``OAuthError``: `denied` for `access_denied`, `refused` for another
  ///   error, `untrusted` for a wrong state or issuer, `malformed` otherwise.
  package func code(
    for request: AuthorizationRequest, from server: ServerMetadata
  ) throws(OAuthError) -> String {
    guard answers(request) else {
      throw OAuthError(.untrusted, "the response belongs to another login (state differs)")
    }
    for name in ["code", "error", "iss"] where parameters.values(of: name).count > 1 {
      throw OAuthError(.malformed, "the authorization response repeats '\(name)'")
    }
    if let issuer = parameters["iss"] {
      guard issuer == server.issuer.text else {
        throw OAuthError(
          .untrusted, "the response comes from another issuer, '\(printable(issuer, limit: 200))'")
      }
    } else if server.sendsIssuer {
      throw OAuthError(.untrusted, "the response names no issuer, but this server always does")
    }
    if let error = parameters["error"] { throw refusal(error) }
    guard let code = parameters["code"], !code.isEmpty else {
      throw OAuthError(.malformed, "the authorization response has neither code nor error")
    }
    return code
  }

  private func refusal(_ error: String) -> OAuthError {
    let server = ServerError(error: error, description: parameters["error_description"])
    return OAuthError(error == "access_denied" ? .denied : .refused, server.summary, server: server)
  }
}
