public import HTTP
import Primitives

extension TokenService {
  /// The cookies of the user's login, which are valid as far as this machine knows.
  ///
  /// If those for the URL have expired, the user is logged in again as the profile says.
  ///
  /// - Parameters:
  ///   - url: what the cookies are for; `nil` for any.
  ///   - demand: how long they must be valid.
  /// - Returns: the cookies; `nil` if the slot holds anything else.
  /// - Throws: ``SDKError/Code/policy`` if no cookie is for the URL.
  public func cookies(
    for url: HTTPURL?, _ demand: TokenDemand = TokenDemand(minimumLifetime: 0)
  ) async throws(SDKError) -> CookieSession? {
    guard case .cookies(let session) = try slots.provider(in: .user) else { return nil }
    let meant = session.cookies.filter { cookie in url.map { cookie.matches($0) } ?? true }
    let end = now() + demand.minimumLifetime
    var current = session
    if demand.forceNew || !meant.isEmpty && meant.allSatisfy({ $0.isExpired(at: end) }) {
      guard case .cookies(let renewed) = try await renewed(after: .cookies(session)) else {
        return nil
      }
      current = renewed
    }
    guard let url, current.header(for: url, at: now()) == nil else { return current }
    throw SDKError(
      .policy, "could not use the cookies: none is for \(url.origin)\(url.path)",
      subject: url.origin)
  }

  /// The JWT of another login on the provider's pages, in place of one that is not valid any more.
  func renewed(after old: TokenSet) async throws(SDKError) -> TokenSet {
    guard let tokens = try await renewed(after: .jwt(old)).tokens else {
      throw slots.expired("the new login is a set of cookies, not a token")
    }
    return tokens
  }

  /// The credential that takes the place of one that is not valid any more.
  func renewed(
    after old: AuthorizationProvider
  ) async throws(SDKError) -> AuthorizationProvider {
    guard let renewal = renewals.first(where: { $0.renews(old) }) else {
      throw slots.expired("it has expired, and the profile does not have reauthenticate=form")
    }
    return try await renewal.renewed(after: old)
  }
}
