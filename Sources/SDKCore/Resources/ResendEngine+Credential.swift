import HTTP
import Primitives

extension ResendEngine {
  /// The valid credential of a slot; it is renewed if it has expired by this machine's clock.
  func validProvider(
    in slot: CredentialSlot, for request: HTTPRequest
  ) async throws(SDKError) -> AuthorizationProvider {
    guard let stored = try await tokens.slots.provider(in: slot, isRecent: true), stored.isSession
    else {
      return AuthorizationProvider(try await tokens.valid(for: slot))
    }
    if isUsable(stored, for: request) { return stored }
    guard let observer = observers.last(where: { $0.answersRefusal(of: stored, as: access) })
    else { throw tokens.slots.expired("it has expired") }
    let renewed = try await renewedProvider(by: observer, after: stored, nil)
    try requireMatchingCookie(in: renewed, for: request)
    return renewed
  }

  /// Lets an observer get a new credential, and returns it.
  ///
  /// The response is the one that refused the old credential; `nil` if that had expired.
  func renewedProvider(
    by observer: (any RequestObserver)?, after provider: AuthorizationProvider,
    _ response: HTTPResponse?
  ) async throws(SDKError) -> AuthorizationProvider {
    guard let slot = access.slot else { throw tokens.slots.notLoggedIn() }
    try await observer?.reauthenticate(
      after: CredentialRefusal(id: id, access: access, provider: provider, response: response))
    guard let renewed = try await tokens.slots.provider(in: slot) else {
      throw tokens.slots.notLoggedIn()
    }
    return renewed
  }

  /// Refuses the credential of another user than the one in whose name the request was made.
  func confirm(_ provider: AuthorizationProvider) async throws(SDKError) {
    // An implicit token does not name its user: it is of the one who is logged in.
    try await owner?.confirm(access == .user ? provider : nil)
  }

  /// Checks that one of the login's cookies is for the URL of the request.
  func requireMatchingCookie(
    in provider: AuthorizationProvider, for request: HTTPRequest
  ) throws(SDKError) {
    if case .cookies(let session) = provider { try session.requireCookie(for: request.url) }
  }

  private func isUsable(_ provider: AuthorizationProvider, for request: HTTPRequest) -> Bool {
    let now = environment.now()
    switch provider {
    case .cookies(let session): return session.header(for: request.url, at: now) != nil
    case .jwt(let tokens): return tokens.isValid(at: now, minimumLifetime: 0)
    case .bearer, .dpop: return true
    }
  }
}

extension ResendEngine.End {
  /// Why the credential was not accepted: by a page of the login, which may be of another host.
  var refusalCause: String {
    guard let response, let target = response.redirectTarget, target.host != response.url.host
    else { return "the server leads to the page of the login" }
    return "\(response.url.host) redirects to the login page of \(target.host)"
  }
}
