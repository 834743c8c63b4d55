import HTTP
import JSON
import OAuth
import Primitives

/// One login whose tokens come without a redirect: for a grant, or a code entered elsewhere (RFC 8628).
struct GrantFlow: Sendable {
  private let login: LoginService
  private let server: ServerMetadata
  private let endpoint: TokenEndpoint
  private let scope: LoginScope
  private let registration: Registration

  /// Finds the token endpoint, at a server that offers `needed`; nothing is presented yet.
  init(
    _ login: LoginService, _ options: LoginOptions,
    offering needed: ServerMetadata.Endpoint = .token
  ) async throws(SDKError) {
    registration = try await login.records.required()
    self.login = login
    (server, scope) = try await login.pinnedServer(for: options, offering: needed)
    endpoint = try await login.server.tokenEndpoint(
      binding: options.bindsTokens, and: needed == .token ? [] : [needed])
  }

  func deviceAuthorization() async throws(SDKError) -> DeviceAuthorization {
    let authorization = try await attempt {
      try await DeviceAuthorization.request(
        at: try server.required(.deviceAuthorization), scope: scope.text, client: endpoint.client,
        over: login.environment.serverClient())
    }
    for page in [authorization.verificationURI, authorization.completeURI] {
      if let page { try requireTLS(page) }
    }
    return authorization
  }

  /// Refuses a page that the person would open without TLS; it needs no pins, because nothing here connects to it.
  private func requireTLS(_ page: HTTPURL) throws(SDKError) {
    guard page.scheme == .http, !page.isLoopback else { return }
    throw SDKError(
      .policy,
      "could not log in with a code: the server sends people to \(VisibleText.quoted(page.origin)), without "
        + "TLS: its public address is misconfigured", subject: page.host)
  }

  func result(
    polling authorization: DeviceAuthorization, within limit: Duration?
  ) async throws(SDKError) -> LoginResult {
    let clock = login.environment.clock
    return try await finish(for: TokenTarget(scope: scope.text)) { () async throws(OAuthError) in
      try await endpoint.poll(
        authorization, within: limit?.components.seconds, now: clock.now, pause: clock.pause)
    }
  }

  func result(of grant: LoginGrant, for resources: [String]) async throws(SDKError) -> LoginResult {
    var target = TokenTarget(scope: scope.text, resources: resources)
    if case .exchange(_, let audiences) = grant { target.audiences = audiences }
    let asked = target
    do {
      return try await finish(for: asked) { () async throws(OAuthError) in
        try await present(grant, for: asked)
      }
    } catch {
      // What else the server says of it (RFC 6749 section 5.2) is shown as it is.
      if case .password = grant, error.message == "invalid_grant" {
        throw error.naming("the name or the password is wrong")
      }
      guard case .allowGrant = error.remedy, lacks(grant) else { throw error }
      throw error.with(remedy: .registerAnew)
    }
  }

  /// Whether the client was registered here before the profile allowed passwords.
  private func lacks(_ grant: LoginGrant) -> Bool {
    guard case .password = grant else { return false }
    return registration.settingsLacking(from: login.profile).contains("passwordGrant")
  }

  private func finish(
    for target: TokenTarget, _ request: () async throws(OAuthError) -> TokenResponse
  ) async throws(SDKError) -> LoginResult {
    let response = try await attempt { try await request() }
    return try await login.using(response) { () async throws(SDKError) in
      var response = response
      let subject = try await attempt {
        if !scope.asksIDToken { try response.dropIDToken() }
        return try await login.server.subject(
          of: response, from: server, clientID: endpoint.client.clientID, nonce: nil)
      }
      return try await login.storeLogin(response, of: server, for: target, subject: subject)
    }
  }

  private func present(
    _ grant: LoginGrant, for target: TokenTarget
  ) async throws(OAuthError) -> TokenResponse {
    switch grant {
    case .password(let username, let password):
      try await endpoint.password(of: username, password, for: target)
    case .assertion(let text): try await endpoint.assertion(text, for: target)
    case .ownAssertion(let subject): try await ownAssertion(about: subject, for: target)
    case .exchange(let token, _): try await endpoint.exchange(token, for: target)
    }
  }

  /// Names the issuer as audience, as the successor of RFC 7523 asks; servers that know only
  /// their token endpoint refuse that, and get another one.
  private func ownAssertion(
    about subject: String, for target: TokenTarget
  ) async throws(OAuthError) -> TokenResponse {
    let client = endpoint.client
    do {
      let assertion = try client.assertion(about: subject, to: server.issuer.text)
      return try await endpoint.assertion(assertion, for: target)
    } catch {
      guard error.invalidatesGrant else { throw error }
      let assertion = try client.assertion(about: subject, to: endpoint.url.description)
      return try await endpoint.assertion(assertion, for: target)
    }
  }
}

extension LoginService {
  /// The server of a login without a redirect, whose endpoints have pins, and the scope.
  fileprivate func pinnedServer(
    for options: LoginOptions, offering needed: ServerMetadata.Endpoint
  ) async throws(SDKError) -> (ServerMetadata, LoginScope) {
    let metadata = try await server.metadata(offering: needed)
    let scope = scope(of: options, at: metadata)
    try requirePins(for: [needed, .token] + (scope.asksIDToken ? [.keys] : []), at: metadata)
    return (metadata, scope)
  }

  /// Refuses a login by a grant if servers that it will contact have no pins, before a person types a password.
  ///
  /// - Throws: ``SDKError/Code/pin``, and the errors of a client that is not registered and of the network.
  public func requirePins(forGrantOf options: LoginOptions) async throws(SDKError) {
    try await attempt(options.action) {
      _ = try await records.required()
      _ = try await pinnedServer(for: options, offering: .token)
    }
  }

  /// Refuses to take a password, before anyone has typed it, unless the profile allows it.
  ///
  /// - Throws: ``SDKError/Code/policy`` with the setting as its remedy.
  public func requirePasswordGrant() throws(SDKError) {
    guard !profile.allowsPasswordGrant else { return }
    throw SDKError(
      .policy, "could not log in: the profile '\(profile.name)' does not allow passwords",
      subject: profile.name.description,
      remedy: .setProfile(key: "passwordGrant", value: "true"))
  }

  /// Refuses a grant that the profile does not allow, or that needs a key.
  func require(_ grant: LoginGrant) async throws(SDKError) {
    switch grant {
    case .password: try requirePasswordGrant()
    case .ownAssertion: try await requireSigningKey()
    case .assertion, .exchange: break
    }
  }

  private func requireSigningKey() async throws(SDKError) {
    guard try await records.openedByPasscode(try await records.required()).key == nil else {
      return
    }
    throw SDKError(
      .invalidConfiguration,
      "could not log in: the client has no key of its own to sign an assertion with",
      subject: profile.name.description,
      remedy: .register(.init(.replacing, authenticationMethod: "private_key_jwt")))
  }
}
