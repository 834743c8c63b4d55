import HTTP
import JOSE
import OAuth
import Primitives

extension LoginService {
  /// Obtains a token with limited scope in the name of the user who is logged in.
  ///
  /// By token exchange if the server offers it. Otherwise, if a browser may be opened, by an
  /// authorization in which the server asks nobody anything (`prompt=none`, OpenID Connect Core
  /// 3.1.2.1): the browser must know the user. A refresh does it if it asks for no less scope than
  /// the login has, or if the profile allows that (`narrowedRefresh`): it may limit the login.
  ///
  /// - Parameters:
  ///   - scope: the requested scope, of what the user granted; `nil` for the
  ///     profile's `implicitScope`.
  ///   - options: port and time of an authorization in a browser.
  ///   - present: shows a challenge in a browser; `nil` when none may be opened.
  /// - Returns: the new token.
  /// - Throws: ``SDKError``; nobody logged in, here or in the browser, is 9026.
  public func silently(
    scope: String?, options: LoginOptions = LoginOptions(), present: ChallengeHandler? = nil
  ) async throws(SDKError) -> TokenSet {
    try await attempt(CredentialSlot.implicit.action) {
      try await implicitToken(scope, options, present)
    }
  }

  private func implicitToken(
    _ scope: String?, _ options: LoginOptions, _ present: ChallengeHandler?
  ) async throws(SDKError) -> TokenSet {
    let user = try await tokens.slots.requiredGrantor()
    var demand = TokenDemand(forceNew: true)
    let former = try await tokens.slots.file(.implicit).content().tokens?.scope
    demand.scope = scope ?? profile.implicitScope ?? former
    guard let present else { return try await tokens.valid(for: .implicit, demand) }
    let mayRefresh =
      user.isRefreshable && tokens.narrowing.mayRefresh(user, for: demand.scope)
    let offersExchange = try await tokens.narrowing.offersTokenExchange()
    if mayRefresh || offersExchange {
      do {
        return try await tokens.valid(for: .implicit, demand)
      } catch {
        guard error.refusesGrantToClient else { throw error }
      }
    }
    return try await authorizedSilently(for: user, demand.scope, options, present)
  }

  private func authorizedSilently(
    for user: TokenSet, _ scope: String?, _ options: LoginOptions,
    _ present: @escaping ChallengeHandler
  ) async throws(SDKError) -> TokenSet {
    var options = options
    if options.parameters.values(of: "resource").isEmpty {
      for resource in user.resources { options.parameters.append("resource", resource) }
    }
    let narrowing = Narrowing(
      scope: (scope ?? user.scope).map(Self.withOpenID) ?? "openid",
      resources: options.parameters.values(of: "resource"), isOfUser: scope == nil)
    try tokens.narrowing.requireGranted(
      Narrowing(scope: scope, resources: narrowing.resources), by: user)
    guard let idToken = user.idToken, let subject = try? JWT(idToken).subject else {
      throw SDKError(
        .unsupported,
        cause: "the login has no ID token, by which the user could be recognised",
        remedy: !user.isRefreshable
          ? nil : .setProfile(key: "narrowedRefresh", value: "true"))
    }
    options.action = CredentialSlot.implicit.action
    // Without openid there is no ID token that names the user of the new one.
    options.scope = narrowing.scope
    options.parameters["prompt"] = "none"
    // Only in a pushed request: in the address of a browser others could see it.
    let metadata = try await server.metadata()
    if profile.pushesAuthorization || metadata.requiresPushedAuthorization {
      try server.requireOwn(
        [.pushedAuthorization], at: metadata, of: nil, presenting: user.endpoints)
      options.parameters["id_token_hint"] = idToken
    }
    let (limit, chosen) = (limit(of: options), options)
    return try await environment.locked(.login, waiting: limit) { () throws(SDKError) in
      let place = try await records.required().responseTarget
      let route = try await route(to: place, chosen, present)
      let flow = try await CodeFlow(self, chosen, over: route)
      do throws(SDKError) {
        return try await flow.result(over: route, within: limit, attempts: 1) {
          (authorization) throws(SDKError) in
          try await flow.exchange(authorization) { (response, found) async throws(SDKError) in
            try await keepImplicit(response, of: found, narrowing, for: user, subject)
          }
        }
      } catch {
        throw asksForUser(error)
      }
    }
  }

  private func keepImplicit(
    _ response: TokenResponse, of found: String?, _ narrowing: Narrowing, for user: TokenSet,
    _ subject: String
  ) async throws(SDKError) -> TokenSet {
    guard sameIdentifier(found, subject) else {
      throw SDKError(
        .untrusted,
        cause: "the browser is signed in as another user than this profile"
      )
    }
    let narrowed = try tokens.narrowing.limited(
      response, narrowing, from: user, isOwnGrant: true)
    try await environment.locked(.implicit) { () throws(SDKError) in
      // If another user has logged in meanwhile, the token is not stored.
      let current = try await tokens.slots.implicitGrantor()
      guard sameIdentifier(current?.idToken, user.idToken) else {
        throw SDKError(
          .notAuthenticated, cause: "the login was replaced meanwhile",
          resource: .implicitNotAuthenticated, subject: profile.name.description)
      }
      try await tokens.slots.replace(.implicit, with: AuthorizationProvider(narrowed))
    }
    return narrowed
  }

  /// The errors of a server that would have to ask the user (OpenID Connect Core 3.1.2.6).
  private func asksForUser(_ error: SDKError) -> SDKError {
    guard error.code == .notAuthenticated else { return error }
    return error.with(.notAuthenticated, resource: .implicitNotAuthenticated)
  }

  private static func withOpenID(_ scope: String) -> String {
    scope.words.contains("openid") ? scope : "openid " + scope
  }
}
