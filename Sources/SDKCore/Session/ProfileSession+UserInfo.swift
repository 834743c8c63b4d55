import HTTP
import JOSE
package import JSON
import OAuth

/// What the server tells about the user.
package struct UserClaims: Sendable, Hashable {
  package let claims: JSONObject
  /// Whether they are known to be about the user who logged in.
  ///
  /// Without an ID token there is nothing to compare them with.
  package let isCompared: Bool
}

extension ProfileSession {
  /// The claims of the userinfo endpoint about the user who is logged in.
  ///
  /// A token that the server refuses is renewed once.
  ///
  /// - Throws: ``SDKError``: `untrusted` when they are about another user than the ID token.
  package func userInfo() async throws(SDKError) -> UserClaims {
    let tokens = try await token(for: .user)
    let request = try await userInfoRequest(tokens)
    do throws(OAuthError) {
      return try await request()
    } catch {
      guard error.server?.status == 401, tokens.refreshToken != nil else {
        if error.code == .untrusted { clock.tellOnce() }
        throw SDKError(error, Self.userInfoAction)
      }
    }
    let renewed = try await token(for: .user, TokenDemand(refused: tokens.accessToken))
    return try await exchanging(Self.userInfoAction, try await userInfoRequest(renewed))
  }

  /// Asks with these tokens, once everything that it takes is there.
  private func userInfoRequest(
    _ tokens: TokenSet
  ) async throws(SDKError) -> @Sendable () async throws(OAuthError) -> UserClaims {
    let server = try await metadata(offering: .userinfo)
    let registration = try requiredRegistration()
    let certificate = try certificate(boundTo: tokens.accessToken)
    var exchange = exchange()
    exchange.dpop = try dpop(of: tokens)
    exchange.boundToken = tokens.accessToken
    let asking = exchange
    let subject = tokens.idToken.flatMap { try? JWT($0) }?.subject
    return { () async throws(OAuthError) in
      let info = UserInfo(
        server: server, clientID: registration.clientID, encryption: registration.encryption,
        over: asking)
      let claims = try await info.claims(
        tokens.authorization, certificate, subject: subject, at: now()
      ) {
        () throws(OAuthError) in try keys(of: server)
      }
      return UserClaims(claims: claims, isCompared: subject != nil)
    }
  }

  private static let userInfoAction = "could not read the claims about the user"
}
