import HTTP
import JSON
import Primitives
import SDKCore
import UAF

/// A request of the server, and what a person has answered to it before the lock of logins is taken.
struct PreparedLogin: Sendable {
  let user: FIDOLogin.User
  let authenticator: SoftwareAuthenticator
  let consent: AuthenticationConsent
  /// When it was prepared.
  let time: Timestamp

  /// Whether it is that of a user, and so new that the server takes it.
  func isUsable(
    for user: FIDOLogin.User, at authenticator: SoftwareAuthenticator, _ now: Timestamp
  ) -> Bool {
    sameIdentifier(self.user.name, user.name)
      && self.authenticator.settings == authenticator.settings
      && now.seconds(since: time) <= Self.lifetime
  }

  /// In seconds; a server forgets a request that is not answered.
  private static let lifetime: Int64 = 60
}

extension FIDOLogin {
  /// Logs a user in: a person is asked first, then the lock of logins is taken.
  ///
  /// Asks again after a wrong passcode.
  func run(
    _ user: User, _ authenticator: SoftwareAuthenticator, _ interaction: Interaction
  ) async throws(SDKError) -> AuthorizationProvider {
    try await slots.file(.user).proveWritable()
    interaction.forgetConfirmation()
    var repetitions = 0
    while true {
      try await interaction.enterPasscode(of: authenticator, for: user.name)
      let login = try await prepared(user, at: authenticator, interaction.bounded)
      do throws(SDKError) {
        let provider = try await environment.locked(.login) { () async throws(SDKError) in
          try await authenticate(login, repetitions, interaction.unattended)
        }
        if let provider { return provider }
        repetitions += 1
      } catch {
        guard interaction.isPasscodeWrong(of: authenticator) else { throw error }
      }
    }
  }

  /// Asks the server for a request, and lets the user choose a key and confirm the transaction.
  private func prepared(
    _ user: User, at authenticator: SoftwareAuthenticator, _ delegates: AuthenticatorDelegates
  ) async throws(SDKError) -> PreparedLogin {
    let served = try await client().request(.authentication, ["username": .string(user.name)])
    let request = try attempt { try UAFAuthenticationRequest(parsing: served.text) }
    try await facets().requireTrust(of: request.header)
    let consent = try await authenticator.consent(
      to: request, facetID: try settings().facetID, account: user.keyName,
      channelBinding: served.channelBinding, delegates: delegates)
    return PreparedLogin(
      user: user, authenticator: authenticator, consent: consent, time: environment.now())
  }

  /// Authenticates under the lock of logins, and stores the cookies or the JWT.
  ///
  /// Returns `nil` if that is to be repeated: the server does not know the key, which it may have got just now.
  /// After the last repetition the key is deleted.
  private func authenticate(
    _ login: PreparedLogin, _ repetitions: Int, _ delegates: AuthenticatorDelegates
  ) async throws(SDKError) -> AuthorizationProvider? {
    let (settings, client) = (try settings(), try client())
    try await slots.file(.user).proveWritable()
    let response = try await login.authenticator.sign(login.consent, delegates: delegates)
    let (verdict, http) = try await client.send(response.message, of: .authentication)
    guard
      let error = SDKError(verdict.status, from: http.url.host, saying: verdict.description)
    else { return try await store(verdict, http, settings, response.key.username) }
    guard verdict.status.deletesKey else { throw error }
    guard repetitions < profile[FIDOKeys.maximumRetries] else {
      try await login.authenticator.forget(response.key.keyID)
      throw error
    }
    try await attempt { try await environment.clock.pause(settings.retryInterval) }
    return nil
  }

  /// Stores what an authentication returned.
  private func store(
    _ verdict: ServerResponse, _ response: HTTPResponse, _ settings: FIDOSettings, _ account: String
  ) async throws(SDKError) -> AuthorizationProvider {
    var jar = CookieJar()
    jar.store(from: response, at: environment.now())
    let returned = settings.returned(verdict, response, jar.cookies)
    if let missing = returned.missing {
      throw SDKError(
        .malformedResponse, cause: "the response of \(response.url.host): \(missing)",
        subject: response.url.host)
    }
    let provider = try returned.provider(of: account, at: environment.now())
    try await slots.store(provider, in: .user)
    return provider
  }
}

/// The renewal of what a FIDO login returned.
extension FIDOLogin: CredentialRenewal {
  var lock: ProfileLock { .login }

  func renews(
    _ slot: CredentialSlot, holding credential: AuthorizationProvider?, by way: Reauthentication
  ) -> Bool { slot == .user && way == .login(.fido) }

  func require(_ credential: AuthorizationProvider?) throws(SDKError) {
    _ = try attempt(Self.action) {
      _ = try settings()
      return try user(renewing: credential, at: try authenticator())
    }
  }

  func prepare(_ credential: AuthorizationProvider?) async throws(SDKError) {
    try await attempt(Self.action) {
      let authenticator = try authenticator()
      let user = try user(renewing: credential, at: authenticator)
      try await interaction.enterPasscode(of: authenticator, for: user.name)
      let kept = interaction.prepared
      guard kept?.isUsable(for: user, at: authenticator, environment.now()) != true else { return }
      interaction.forgetConfirmation()
      interaction.prepared = try await prepared(user, at: authenticator, interaction.bounded)
    }
  }

  /// Authenticates with what was prepared if that is still for the user of the slot, else with a request to which a
  /// person need not answer.
  func newCredential(
    for slot: OpenSlot, _ demand: TokenDemand
  ) async throws(SDKError) -> AuthorizationProvider {
    try await attempt(Self.action) {
      let authenticator = try authenticator()
      let user = try user(renewing: slot.content.provider, at: authenticator)
      let delegates = interaction.unattended
      var login = interaction.takePrepared()
      var repetitions = 0
      while true {
        let isUsable = login?.isUsable(for: user, at: authenticator, environment.now()) == true
        let next: PreparedLogin
        if let login, isUsable {
          next = login
        } else {
          next = try await prepared(user, at: authenticator, delegates)
        }
        if let provider = try await authenticate(next, repetitions, delegates) { return provider }
        login = nil
        repetitions += 1
      }
    }
  }
}
