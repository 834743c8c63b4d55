import HTTP
import JOSE
package import JSON
import OAuth

/// What the server tells about the user.
package struct UserClaims: Sendable, Hashable {
  package let claims: [String: JSON]
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
    do {
      return try await claims(tokens)
    } catch {
      guard error.server?.status == 401, tokens.refreshToken != nil else {
        if error.code == .untrusted { clock.tellOnce() }
        throw SDKError(error, Self.userInfoAction)
      }
      let renewed = try await token(for: .user, TokenDemand(refused: tokens.accessToken))
      return try await exchanging(Self.userInfoAction) { () async throws(OAuthError) in
        try await claims(renewed)
      }
    }
  }

  private func claims(_ tokens: TokenSet) async throws(OAuthError) -> UserClaims {
    let server: ServerMetadata
    let registration: Registration
    do throws(SDKError) {
      (server, registration) = (try await metadata(), try requiredRegistration())
    } catch {
      throw OAuthError(.unsupported, error.message)
    }
    let info = UserInfo(
      server: server, clientID: registration.clientID, encryption: registration.encryption,
      over: exchange())
    let subject = tokens.idToken.flatMap { try? JWT($0) }?.subject
    let field = HTTPField(known: "Authorization", "\(tokens.tokenType) \(tokens.accessToken)")
    let claims = try await info.claims(field, subject: subject, at: now()) {
      () throws(OAuthError) in try keys(of: server)
    }
    return UserClaims(claims: claims, isCompared: subject != nil)
  }

  private static let userInfoAction = "could not read the claims about the user"
}
