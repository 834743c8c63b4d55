import HTTP
import Primitives

extension ResourcePipeline {
  /// What the request carries: valid, as far as this machine knows.
  func usable(
    _ slot: CredentialSlot, for request: HTTPRequest
  ) async throws(SDKError) -> AuthorizationProvider {
    guard let stored = try tokens.slots.provider(in: slot, isRecent: true), stored.isOfForm else {
      return AuthorizationProvider(try await tokens.valid(for: slot))
    }
    if isUsable(stored, for: request) { return stored }
    guard let observer = observers.last(where: { $0.answersRefusal(of: stored, as: access) })
    else { throw tokens.slots.expired("it has expired") }
    let renewed = try await reauthenticated(observer, after: stored, nil)
    try require(renewed, fits: request)
    return renewed
  }

  /// Lets an observer get another credential, and returns it.
  func reauthenticated(
    _ observer: (any RequestObserver)?, after provider: AuthorizationProvider,
    _ response: HTTPResponse?
  ) async throws(SDKError) -> AuthorizationProvider {
    guard let slot = access.slot else { throw tokens.slots.notLoggedIn() }
    try await observer?.reauthenticate(
      after: CredentialRefusal(id: id, access: access, provider: provider, response: response))
    guard let renewed = try tokens.slots.provider(in: slot) else {
      throw tokens.slots.notLoggedIn()
    }
    return renewed
  }

  /// Refuses cookies of which none is for the request.
  func require(
    _ provider: AuthorizationProvider, fits request: HTTPRequest
  ) throws(SDKError) {
    guard case .cookies(let session) = provider,
      !session.cookies.contains(where: { $0.matches(request.url) })
    else { return }
    throw SDKError(
      .policy,
      "could not send the request: no cookie of the login is for "
        + "\(request.url.origin)\(request.url.path)",
      subject: request.url.origin)
  }

  /// The cookies of the login are all that a request carries.
  func requireNoCookies(in request: ResourceRequest) throws(SDKError) {
    guard let field = request.headers.first(where: { $0.name.asciiLowercased == "cookie" }) else {
      return
    }
    throw SDKError(
      .invalidRequest,
      "could not send the request: the header field '\(field.name)' is reserved, because the login "
        + "is a set of cookies",
      resource: .invalidHeaders(access.domain))
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
