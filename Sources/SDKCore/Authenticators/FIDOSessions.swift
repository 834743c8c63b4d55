import HTTP
import JSON
import OpenSSL
import Primitives
import UAF

/// Logins with a FIDO key; one at a time on a machine.
struct FIDOSessions: CredentialRenewal {
  static let action = "could not log in with a FIDO key"

  let slots: TokenSlots
  let cache: TrustCache
  /// Opens keys in security tokens.
  let securityTokens: IdentityStore
  /// Asks what a login after a refusal needs of a person.
  let interaction: Interaction
  private let pinCost: ScryptCost

  init(
    slots: TokenSlots, cache: TrustCache, securityTokens: IdentityStore,
    delegates: AuthenticatorDelegates, pinCost: ScryptCost = .standard
  ) {
    self.pinCost = pinCost
    self.slots = slots
    self.cache = cache
    self.securityTokens = securityTokens
    interaction = Interaction(
      Self.usual(delegates, slots.profile),
      within: .seconds(slots.profile.fidoInteractionTimeout))
  }

  var environment: SessionEnvironment { slots.environment }

  /// Those who are asked if the caller names nobody: the PIN is that of `fido.pinFile` if there is one.
  private static func usual(
    _ delegates: AuthenticatorDelegates, _ profile: Profile
  ) -> AuthenticatorDelegates {
    var delegates = delegates
    if let path = profile.fidoPINFile { delegates.pin = FilePIN(path: path) }
    return delegates
  }

  func settings() throws(SDKError) -> FIDOSettings { try FIDOSettings(profile) }

  func client() throws(SDKError) -> UAFServerClient {
    UAFServerClient(environment: environment, settings: try settings())
  }

  func facets() throws(SDKError) -> FacetCheck {
    FacetCheck(environment: environment, settings: try settings(), cache: cache)
  }

  /// The authenticator with the keys that there are.
  ///
  /// It verifies nobody if its keys were registered so, and the profile allows that.
  func authenticator(_ aaid: AAID? = nil) throws(SDKError) -> SoftwareAuthenticator {
    let authenticator = try authenticator(aaid, verifiesUser: true)
    guard profile.fidoAllowsNoVerification, authenticator.settings.userVerification == .pin,
      try authenticator.pinStatus() == .notEnrolled, try !authenticator.keys().isEmpty
    else { return authenticator }
    return try self.authenticator(aaid, verifiesUser: false)
  }

  func authenticator(_ aaid: AAID?, verifiesUser: Bool) throws(SDKError) -> SoftwareAuthenticator {
    SoftwareAuthenticator(
      environment, try profile.authenticatorSettings(aaid, verifiesUser: verifiesUser),
      securityTokens: securityTokens, cost: pinCost)
  }

  /// The user whose key is used: the one that is named, else that of `fido.user`, else the only one
  /// that has keys.
  func account(_ name: String?, at authenticator: SoftwareAuthenticator) throws(SDKError) -> String {
    let names = try authenticator.keys().map(\.username)
    if let name = name ?? profile.fidoUser {
      guard names.contains(where: { sameIdentifier($0, name) }) else {
        throw notRegistered("'\(VisibleText.of(name))' has no key")
      }
      return name
    }
    guard let first = names.first else { throw notRegistered("there is no FIDO key") }
    guard names.allSatisfy({ sameIdentifier($0, first) }) else {
      throw SDKError(
        .invalidRequest, cause: "several users have keys, and none of them is named",
        subject: "fido.user")
    }
    return first
  }

  private func notRegistered(_ cause: String) -> SDKError {
    SDKError(
      .notRegistered, cause: "\(cause) in '\(profile.name)'", resource: .userNotAuthenticated,
      subject: profile.name.description, remedy: .registerFIDO)
  }

  /// Authenticates at the server, and stores the cookies or the JWT.
  ///
  /// Runs under the lock of logins. While the server does not know the key, which it may have got just
  /// now, the authentication is repeated; then the key is deleted.
  func run(
    _ account: String, _ authenticator: SoftwareAuthenticator, _ delegates: AuthenticatorDelegates
  ) async throws(SDKError) -> AuthorizationProvider {
    let (settings, client, facets) = (try settings(), try client(), try facets())
    try slots.file(.user).proveWritable()
    for attempt in 0... {
      let request = try await authenticationRequest(account, from: client, trusting: facets)
      let response = try await authenticator.authenticate(
        request, facetID: settings.facetID, account: account, delegates: delegates)
      let (verdict, http) = try await client.send(response.message, of: .authentication)
      guard
        let error = SDKError(verdict.status, from: http.url.host, saying: verdict.description)
      else { return try await store(http, settings, account) }
      guard verdict.status.deletesKey else { throw error }
      guard attempt < profile.fidoMaximumRetries else {
        try await authenticator.forget(response.key.keyID)
        throw error
      }
      try await SDKCore.attempt { try await environment.clock.pause(settings.retryInterval) }
    }
    throw SDKError(.cancelled, cause: "cancelled")
  }

  private func authenticationRequest(
    _ account: String, from client: UAFServerClient, trusting facets: FacetCheck
  ) async throws(SDKError) -> UAFAuthenticationRequest {
    let text = try await client.request(.authentication, ["username": .string(account)])
    let request = try attempt { try UAFAuthenticationRequest(parsing: text) }
    try await facets.requireTrust(of: request.header)
    return request
  }

  /// Stores what an authentication returned.
  private func store(
    _ response: HTTPResponse, _ settings: FIDOSettings, _ account: String
  ) async throws(SDKError) -> AuthorizationProvider {
    var jar = CookieJar()
    jar.store(from: response, at: now())
    let returned = settings.returned(in: response, jar.cookies)
    if let missing = returned.missing {
      throw SDKError(
        .malformedResponse, cause: "the response of \(response.url.host): \(missing)",
        subject: response.url.host)
    }
    let provider = try returned.provider(of: account, at: now())
    try await slots.store(provider, in: .user)
    return provider
  }
}

/// The renewal of what a FIDO login returned.
extension FIDOSessions {
  var lock: ProfileLock { .login }

  func renews(
    _ slot: CredentialSlot, holding credential: AuthorizationProvider?, by way: Reauthentication
  ) -> Bool { slot == .user && way == .fido }

  func require(_ credential: AuthorizationProvider?) throws(SDKError) {
    _ = try attempt(Self.action) {
      _ = try settings()
      return try account(user(of: credential), at: try authenticator())
    }
  }

  func prepare() async throws(SDKError) {
    try await attempt(Self.action) {
      let authenticator = try authenticator()
      let name = try? account(nil, at: authenticator)
      try await interaction.enterPIN(of: authenticator, for: name ?? "")
    }
  }

  func renewed(
    _ current: AuthorizationProvider?, _ demand: TokenDemand
  ) async throws(SDKError) -> AuthorizationProvider {
    try await attempt(Self.action) {
      let authenticator = try authenticator()
      let account = try account(user(of: current), at: authenticator)
      return try await run(account, authenticator, interaction.bounded)
    }
  }

  /// The user who is logged in, if a key is registered in that name.
  private func user(of credential: AuthorizationProvider?) -> String? {
    guard case .cookies(let session) = credential, let user = session.user else { return nil }
    let names = (try? authenticator().keys().map(\.username)) ?? []
    return names.contains { sameIdentifier($0, user) } ? user : nil
  }
}
