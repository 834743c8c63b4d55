import HTTP
import JOSE
public import JSON
import OAuth

/// The claims of the server about the user.
public struct UserClaims: Sendable, Hashable {
  /// The claims, as the server sent them (OpenID Connect Core 1.0 section 5.3.2).
  public let claims: JSONObject
  /// Whether they are known to be about the user who logged in.
  ///
  /// Without an ID token there is nothing to compare them with.
  public let isCompared: Bool
}

extension TokenService {
  /// The claims of the userinfo endpoint about the user who is logged in.
  ///
  /// A token that the server refuses is renewed once.
  ///
  /// - Throws: ``SDKError``: `untrusted` when they are about another user than the ID token.
  public func userInfo() async throws(SDKError) -> UserClaims {
    let tokens = try await valid(for: .user)
    let request = try await userInfoRequest(tokens)
    do throws(OAuthError) {
      return try await request()
    } catch {
      guard error.server?.status == 401, tokens.isRefreshable else {
        if error.code == .untrusted { environment.clock.server.tellOnce() }
        throw SDKError(error, Self.userInfoAction)
      }
    }
    let renewed = try await valid(for: .user, TokenDemand(refused: tokens.accessToken))
    return try await attempt(Self.userInfoAction, try await userInfoRequest(renewed))
  }

  func claims(of tokens: TokenSet) async throws(SDKError) -> UserClaims {
    try await attempt(Self.userInfoAction, try await userInfoRequest(tokens))
  }

  /// The name of the user of a login: that of the ID token, else that of the userinfo endpoint; `nil` without one.
  public func userName(of tokens: TokenSet) async -> String? {
    let token = tokens.idToken.flatMap { try? JWT($0) }
    if let name = token?.claims.userName { return name }
    guard token != nil else { return nil }
    return (try? await claims(of: tokens)).flatMap { JSON.object($0.claims).userName }
      ?? tokens.userName
  }

  /// Asks with these tokens, once everything that it takes is there.
  private func userInfoRequest(
    _ tokens: TokenSet
  ) async throws(SDKError) -> @Sendable () async throws(OAuthError) -> UserClaims {
    let authorizationServer = server
    let server = try await authorizationServer.metadata(offering: .userinfo)
    try authorizationServer.requireOwn(
      [.userinfo], at: server, of: nil, presenting: tokens.endpoints)
    let registration = try await records.required()
    let certificate = try await certificate(boundTo: tokens.accessToken)
    var exchange = authorizationServer.serverClient()
    exchange.dpop = try await proof(of: tokens)
    exchange.boundToken = tokens.accessToken
    let asking = exchange
    let subject = tokens.idToken.flatMap { try? JWT($0) }?.subject
    return { () async throws(OAuthError) in
      let claims = try await asking.userInfo(
        from: server, for: registration.clientID, by: tokens.authorization, certificate,
        subject: subject, encryption: registration.encryption, at: now()
      ) { () throws(OAuthError) in try authorizationServer.keys(of: server) }
      return UserClaims(claims: claims, isCompared: subject != nil)
    }
  }

  private static let userInfoAction = "could not read the claims about the user"
}
