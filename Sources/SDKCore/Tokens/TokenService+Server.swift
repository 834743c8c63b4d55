import HTTP
public import JSON
import OAuth
import Primitives

/// The kind of a token that is introspected or revoked.
public enum TokenKind: Sendable, Hashable {
  /// An access token.
  case access
  /// A refresh token.
  case refresh

  /// For the server to find the token faster.
  fileprivate var hint: Revocation.Hint { self == .access ? .access : .refresh }
}

extension TokenService {
  /// The introspection response of the server about a token (RFC 7662): `active`, and further
  /// members if it is.
  ///
  /// - Throws: ``SDKError``: `unsupported` if the server has no such endpoint, `untrusted` for a
  ///   signed response that does not verify.
  public func introspect(
    _ token: String, _ kind: TokenKind?, signed: Bool = false
  ) async throws(SDKError) -> JSONObject {
    let action = "could not introspect the token"
    return try await attempt(action) {
      let registration = try await records.required()
      let metadata = try await server.metadata(offering: .introspection)
      let client = try await server.client(
        registration, at: metadata, for: [.introspection], presenting: stored(token)?.endpoints)
      let introspection = Introspection(metadata, client: client, over: server.serverClient())
      let server = server
      return try await attempt {
        try await introspection.introspect(
          token, hint: kind?.hint, for: registration.clientID, asToken: signed, at: now()
        ) { () throws(OAuthError) in try server.keys(of: metadata) }
      }
    }
  }

  /// Revokes a token at the server (RFC 7009); the stored tokens stay as they are.
  ///
  /// - Throws: ``SDKError``: `unsupported` if the server has no such endpoint.
  public func revoke(_ token: String, _ kind: TokenKind?) async throws(SDKError) {
    try await attempt("could not revoke the token") {
      let registration = try await records.required()
      let metadata = try await server.metadata(offering: .revocation)
      let client = try await server.client(
        registration, at: metadata, for: [.revocation], presenting: stored(token)?.endpoints)
      try await attempt {
        let revocation = Revocation(
          try metadata.required(.revocation), client: client.at(.revocation, of: metadata),
          over: server.serverClient())
        try await revocation.revoke(token, hint: kind?.hint)
      }
    }
  }
}
