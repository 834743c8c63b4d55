import JOSE
import OAuth
public import Primitives

/// The user's ID token; it was verified when it was received.
public struct IDToken: Sendable, Hashable {
  /// The token in compact form.
  public let text: String
  /// When it expires.
  public let expires: Timestamp?

  init?(_ tokens: TokenSet?) {
    guard let text = tokens?.idToken else { return nil }
    self.text = text
    expires = (try? JWT(text))?.expiration
  }
}

extension Timestamp? {
  /// Whether the end is known, and more than that many seconds away.
  func isAfter(_ now: Timestamp, by seconds: Int64 = 0) -> Bool {
    map { $0 > now + max(0, seconds) } ?? false
  }
}

extension TokenService {
  /// The user's ID token.
  ///
  /// A stored one that is valid for long enough is returned without lock and without network. Otherwise the tokens
  /// are refreshed, which brings a new ID token from servers that send one with a refresh.
  ///
  /// - Throws: ``SDKError``: `notAuthenticated` if there is no login with an ID token,
  ///   `sessionExpired` if the ID token has expired and no refresh brings another.
  public func idToken(_ demand: TokenDemand = TokenDemand()) async throws(SDKError) -> IDToken {
    try await attempt("could not use the ID token") {
      let stored = try await slots.tokens(in: .user)
      if let current = IDToken(stored), !demand.forceNew,
        current.expires.isAfter(now(), by: demand.minimumLifetime)
      {
        return current
      }
      guard let stored else { throw slots.notLoggedIn() }
      guard stored.idToken != nil else { throw missingIDToken() }
      // Another process may have refreshed in the meantime.
      let demand = TokenDemand(
        minimumLifetime: demand.minimumLifetime, forceNew: demand.forceNew,
        refused: stored.accessToken)
      guard let renewed = IDToken(try await valid(for: .user, demand)) else {
        throw missingIDToken()
      }
      guard renewed.expires.isAfter(now()) else {
        throw slots.expired("the ID token expired, and a refresh brought no other one")
      }
      return renewed
    }
  }

  private func missingIDToken() -> SDKError {
    if let injected = slots.injected {
      return SDKError(
        .notAuthenticated, cause: "\(injected.source) has no ID token",
        resource: .userNotAuthenticated)
    }
    let scope = profile.scope.map { Scope.words($0).isEmpty ? "openid" : "openid \($0)" }
    return SDKError(
      .notAuthenticated, cause: "the login of '\(profile.name)' brought no ID token",
      resource: .userNotAuthenticated, subject: profile.name.description,
      remedy: .login(.init(scope: scope ?? "openid")))
  }
}
