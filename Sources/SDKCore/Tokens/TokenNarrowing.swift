import OAuth
import POSIX
import Primitives

struct Narrowing: Sendable {
  /// Its scope; `nil` for that of the other.
  var scope: String?
  var audience: String?
  /// The addresses of the services it is for (RFC 8707): those of the request, or of the login.
  var resources: [String] = []
  /// Whether nobody chose the scope, because it is that of the user's token.
  var isOfUser = false
  var remedy: Remedy?

  /// What its scope must be within; `nil` for other services, whose scopes are not those of the user's token.
  func limit(_ granted: String?) -> String? {
    audience == nil && resources.isEmpty ? granted : nil
  }

  func maximum(_ granted: String?) -> String? {
    isOfUser ? limit(scope ?? granted) : scope ?? limit(granted)
  }
}

/// Requests tokens that can do less than the user's: by token exchange, else by a refresh.
struct TokenNarrowing: Sendable {
  let tokens: TokenService

  var environment: SessionEnvironment { tokens.environment }
  var profile: Profile { environment.profile }

  /// By token exchange if it is offered, else by a refresh if the profile allows that.
  func narrowed(
    _ user: TokenSet, _ narrowing: Narrowing
  ) async throws(SDKError) -> TokenSet {
    var narrowing = narrowing
    if narrowing.audience == nil { narrowing.resources = user.resources }
    try requireGranted(narrowing, by: user)
    let (response, isOwnGrant) = try await response(to: narrowing)
    return try limited(response, narrowing, from: user, isOwnGrant: isOwnGrant)
  }

  /// Asks for the passcode of the user's tokens if they are sealed, and may have to be refreshed; not under a lock.
  func prepare() async throws(SDKError) {
    guard let user = try await tokens.slots.implicitGrantor(), user.isSealed else { return }
    if user.isValid(at: environment.now(), minimumLifetime: 30), try await offersTokenExchange() {
      return
    }
    try await tokens.slots.unseal(.user)
  }

  /// The tokens of a response, if their scope is not larger than requested.
  ///
  /// A refresh token is kept if it is that of a grant of its own, and the user's is sealed: what does
  /// without a person then goes on.
  func limited(
    _ response: TokenResponse, _ narrowing: Narrowing, from user: TokenSet, isOwnGrant: Bool
  ) throws(SDKError) -> TokenSet {
    let scope = narrowing.scope
    // Some servers ignore the requested scope: their token would allow more than was requested.
    guard Self.isCovered(response.scope, by: narrowing.maximum(user.scope)) else {
      throw Self.tooWide
    }
    var limited = TokenSet(response, requestedScope: scope, at: environment.now())
    limited.idToken = nil
    if !isOwnGrant || narrowing.audience != nil || !user.isSealed { limited.refreshToken = nil }
    limited.endpoints = user.endpoints
    limited.resources = narrowing.resources
    return limited
  }

  /// The response of the server, and whether it is a grant beside the user's.
  private func response(
    to narrowing: Narrowing
  ) async throws(SDKError) -> (TokenResponse, isOwnGrant: Bool) {
    guard try await offersTokenExchange() else { return (try await refreshed(narrowing), false) }
    let user = try await tokens.valid(for: .user)
    do {
      return (try await exchanged(user, narrowing), true)
    } catch {
      switch error.serverError {
      case _ where error.refusesGrantToClient:
        guard user.isRefreshable, narrowing.audience == nil else { throw error }
        return (try await refreshed(narrowing, after: error), false)
      case "invalid_request", "invalid_grant", "invalid_token":
        // The server no longer takes the user's token, though it has not expired.
        guard user.isRefreshable else { throw error }
        let renewed = try await tokens.valid(for: .user, TokenDemand(refused: user.accessToken))
        return (try await exchanged(renewed, narrowing), true)
      default: throw error
      }
    }
  }

  func offersTokenExchange() async throws(SDKError) -> Bool {
    let offered = try await tokens.server.metadata().words("grant_types_supported") ?? []
    return offered.contains(TokenEndpoint.Grant.tokenExchange)
  }

  private func exchanged(
    _ user: TokenSet, _ narrowing: Narrowing
  ) async throws(SDKError) -> TokenResponse {
    let endpoint = try await tokens.server.tokenEndpoint(
      binding: user.isBound ? true : nil, presenting: user.endpoints)
    return try await attempt {
      try await endpoint.exchange(
        SubjectToken(user.accessToken, type: .accessToken),
        for: TokenTarget(
          scope: narrowing.scope, resources: narrowing.resources,
          audiences: narrowing.audience.map { [$0] } ?? []))
    }
  }

  /// Whether a refresh may bring a token of that scope.
  ///
  /// Widespread servers limit the refresh token that they rotate to the scope of the refresh, and
  /// with it the whole login: less scope takes the consent of the profile.
  func mayRefresh(_ user: TokenSet, for scope: String?) -> Bool {
    guard let scope, !profile.allowsNarrowedRefresh else { return true }
    return Scope.words(user.scope) == Scope.words(scope)
  }

  /// A refresh for less scope; the refresh token that it rotates stays with the user.
  private func refreshed(
    _ narrowing: Narrowing, after refusal: SDKError? = nil
  ) async throws(SDKError) -> TokenResponse {
    guard narrowing.audience == nil else {
      throw SDKError(
        .unsupported,
        cause: "another audience needs token exchange, which the server does not offer")
    }
    return try await tokens.slots.opening(.user) { (open) async throws(SDKError) in
      guard var user = open.content.tokens else {
        throw tokens.slots.noImplicitGrantor()
      }
      let refresh = RefreshRenewal(server: tokens.server, slots: tokens.slots)
      guard user.isRefreshable else {
        throw needsBrowser(narrowing, "the login has no refresh token", refusal)
      }
      guard mayRefresh(user, for: narrowing.scope) else {
        throw needsBrowser(
          narrowing,
          "the profile does not allow a refresh with less scope, which may limit the whole login "
            + "(narrowedRefresh)", refusal)
      }
      var outcome = try await refresh.refreshing(open, user, scope: narrowing.scope)
      if case .changed(let current) = outcome {
        user = current
        outcome = try await refresh.refreshing(open, user, scope: narrowing.scope)
      }
      guard case .response(let response) = outcome else {
        throw tokens.slots.noImplicitGrantor()
      }
      if let rotated = response.refreshToken {
        user.refreshToken = rotated
        try await open.store(user)
      } else {
        open.presentation.noteRefusal()
      }
      tell(ofRefresh: response, of: user, for: narrowing.scope)
      return response
    }
  }

  /// No command limits a login without saying so.
  private func tell(ofRefresh response: TokenResponse, of user: TokenSet, for scope: String?) {
    if let scope, Scope.words(scope) != Scope.words(user.scope) {
      // A server that ignores the requested scope does not limit the login either.
      guard response.refreshToken != nil, Self.isCovered(response.scope, by: scope) else { return }
      tokens.slots.notice?(.mayBeLimited(to: scope))
    } else {
      let missing = Scope.missing(in: response.scope ?? user.scope, of: user.scope)
      if !missing.isEmpty { tokens.slots.notice?(.scopeLost(missing)) }
    }
  }

  private func needsBrowser(
    _ narrowing: Narrowing, _ cause: String, _ refusal: SDKError?
  ) -> SDKError {
    SDKError(
      .notAuthenticated,
      cause: "the server offers \(refusal == nil ? "" : "this client ")"
        + "no token exchange, and \(cause)",
      serverError: refusal?.serverError, subject: profile.name.description,
      remedy: narrowing.remedy ?? .login(.init(.implicit, scope: narrowing.scope)))
  }

  func requireGranted(
    _ narrowing: Narrowing, by user: TokenSet
  ) throws(SDKError) {
    guard !Self.isCovered(narrowing.scope, by: narrowing.limit(user.scope)) else { return }
    let missing = Scope.missing(in: user.scope, of: narrowing.scope)
    throw SDKError(
      .policy, cause: "the user has not granted '\(missing.joined(separator: " "))'")
  }

  static let tooWide = SDKError(
    .untrusted, cause: "the server returned more scope than was requested")

  /// Whether a scope is within a limit; an unknown scope cannot be compared.
  static func isCovered(_ scope: String?, by limit: String?) -> Bool {
    limit == nil || Scope.missing(in: limit, of: scope).isEmpty
  }
}

extension TokenSet {
  /// Without what renews or describes another slot.
  var onlyAccess: TokenSet {
    var tokens = self
    (tokens.refreshToken, tokens.idToken) = (nil, nil)
    return tokens
  }
}

extension SDKError {
  /// Whether the server offers the grant, but not to this client.
  var refusesGrantToClient: Bool {
    serverError == "unauthorized_client" || serverError == "unsupported_grant_type"
  }
}
