import HTTP
public import JSON
import Primitives
public import SDKCore
public import UAF

/// FIDO UAF operations of a profile at its server, with the software authenticator.
public struct FIDOService: Sendable {
  let tokens: TokenService
  let login: FIDOLogin

  var environment: SessionEnvironment { tokens.environment }
  var profile: Profile { environment.profile }

  /// Checks that the profile has a FIDO server, with passcodes, before anybody is asked for anything.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` without `fido.url`, ``SDKError/Code/pin``.
  public func requireServer() throws(SDKError) {
    _ = try attempt("could not use FIDO") { try login.client() }
  }

  /// The keys of an authenticator.
  ///
  /// - Parameter aaid: its model; `nil` for that of the profile.
  /// - Returns: the keys, in the order of their registration.
  /// - Throws: ``SDKError/Code/invalidConfiguration`` or ``SDKError/Code/store`` if its file is damaged.
  public func keys(of aaid: AAID? = nil) throws(SDKError) -> [AuthenticatorKey] {
    try login.authenticator(aaid).keys()
  }

  /// What a server must know of an authenticator to accept its attestation (FIDO UAF Authenticator
  /// Metadata Statements 1.1).
  ///
  /// - Parameter aaid: its model; `nil` for that of the profile.
  /// - Returns: the statement.
  /// - Throws: ``SDKError/Code/store`` if the attestation key has to be made and cannot be written.
  public func metadataStatement(of aaid: AAID? = nil) async throws(SDKError) -> JSON {
    try await login.authenticator(aaid).metadataStatement()
  }

  /// The certificate that signs registrations, as PEM; it is made on first use.
  ///
  /// - Parameter aaid: the model of the authenticator; `nil` for that of the profile.
  /// - Returns: the certificate.
  /// - Throws: ``SDKError/Code/store`` if it has to be made and cannot be written.
  public func attestationCertificate(of aaid: AAID? = nil) async throws(SDKError) -> String {
    try await login.authenticator(aaid).attestationCertificate()
  }

  /// Registers a key for a user who is logged in.
  ///
  /// - Parameters:
  ///   - account: the user at the server; `nil` for `fido.user`, else for the one who is logged in.
  ///   - aaid: the model of the authenticator; `nil` for that of the profile.
  ///   - verifiesUser: whether the user has a passcode.
  ///   - delegates: who is asked; `nil` for those of the session.
  /// - Returns: the key.
  /// - Throws: ``SDKError``: `notAuthenticated` without a session, `refused` if the server does not
  ///   accept the key.
  @inline(never)
  public func register(
    _ account: String? = nil, at aaid: AAID? = nil,
    verifiesUser: Bool = true, asking delegates: AuthenticatorDelegates? = nil
  ) async throws(SDKError) -> AuthenticatorKey {
    try await attempt(Self.registration) {
      let client = try login.client()
      let authenticator = try login.authenticator(aaid, verifiesUser: verifiesUser)
      let (credential, user) = try await otherSession()
      guard let name = account ?? profile[FIDOKeys.user] ?? user else {
        throw SDKError(
          .invalidRequest, cause: "the session does not name a user, and none is given",
          subject: "fido.user")
      }
      let served = try await client.request(
        .registration, ["username": .string(name)], with: credential)
      return try await register(served, at: authenticator, asking: delegates)
    }
  }

  /// Makes the key that a request asks for, and sends it to the server.
  private func register(
    _ served: ServedRequest, at authenticator: SoftwareAuthenticator,
    asking delegates: AuthenticatorDelegates?
  ) async throws(SDKError) -> AuthenticatorKey {
    let response = try await response(
      of: authenticator, to: served,
      interaction(delegates, try login.settings()).bounded)
    return try await confirmed(response, at: authenticator, by: try login.client())
  }

  /// The message of the authenticator; that the policy has no match is the server's refusal.
  private func response(
    of authenticator: SoftwareAuthenticator, to served: ServedRequest,
    _ delegates: AuthenticatorDelegates
  ) async throws(SDKError) -> AuthenticatorResponse {
    let request = try attempt { try UAFRegistrationRequest(parsing: served.text) }
    try await login.facets().requireTrust(of: request.header)
    do throws(SDKError) {
      return try await authenticator.register(
        request, facetID: try login.settings().facetID,
        channelBinding: served.channelBinding, delegates: delegates)
    } catch {
      guard error.clientErrorCode == .noSuitableAuthenticator else { throw error }
      throw SDKError(.refused, cause: error.message)
    }
  }

  /// Sends a new key to the server; one that it refuses is deleted.
  ///
  /// What the server says of it is not lost if the task is cancelled.
  private func confirmed(
    _ response: AuthenticatorResponse, at authenticator: SoftwareAuthenticator,
    by client: UAFServerClient
  ) async throws(SDKError) -> AuthenticatorKey {
    try await environment.uninterrupted { () async throws(SDKError) in
      do throws(SDKError) {
        let (verdict, http) = try await client.send(response.message, of: .registration)
        guard
          let error = SDKError(verdict.status, from: http.url.host, saying: verdict.description)
        else { return response.key }
        throw error
      } catch {
        // The server may have the key, or take it later: it is deleted when the server says that it does not.
        if !error.isRetryable, ![.cancelled, .malformedResponse].contains(error.code) {
          try await authenticator.forget(response.key.keyID)
        }
        throw error
      }
    }
  }

  /// What the profile has of authenticators, and of their keys.
  ///
  /// Uses no network.
  public func inventory() -> [StoredAuthenticator] { login.inventory() }

  /// Logs a user in with a key; the cookies or the JWT replace the content of the user's slot.
  ///
  /// - Parameters:
  ///   - account: the user at the server; `nil` for `fido.user`, else for the only one with keys.
  ///   - aaid: the model of the authenticator; `nil` for the one that ``AuthenticatorDelegates/authenticator`` chooses if
  ///     several have keys, else for that of the profile.
  ///   - delegates: who is asked; `nil` for those of the session.
  /// - Returns: the cookies or the JWT.
  /// - Throws: ``SDKError``: `notRegistered` without a key, and if the server does not know it, which
  ///   deletes it.
  @inline(never)
  public func logIn(
    _ account: String? = nil, at aaid: AAID? = nil, asking delegates: AuthenticatorDelegates? = nil
  ) async throws(SDKError) -> AuthorizationProvider {
    try await attempt(FIDOLogin.action) {
      let interaction = interaction(delegates, try login.client().settings)
      let authenticator = try login.authenticator(
        try await interaction.model(aaid, among: inventory()))
      let user = try login.user(account, at: authenticator)
      let provider = try await login.run(user, authenticator, interaction)
      try await environment.becomeCurrentUser()
      return provider
    }
  }

  /// Deletes the keys of a user, at the server and here.
  ///
  /// - Parameters:
  ///   - account: the user at the server; `nil` for `fido.user`, else for the only one with keys.
  ///   - aaid: the model of the authenticator; `nil` for that of the profile.
  /// - Returns: the deleted keys.
  /// - Throws: ``SDKError`` if the server refuses; the keys stay.
  @inline(never)
  public func deregister(
    _ account: String? = nil, at aaid: AAID? = nil
  ) async throws(SDKError) -> [AuthenticatorKey] {
    try await attempt(Self.deregistration) {
      let client = try login.client()
      let authenticator = try login.authenticator(aaid)
      let user = try login.user(account, at: authenticator, remedy: nil)
      let (credential, _) = try await tokens.userSession()
      let served = try await client.request(
        .deregistration, ["username": .string(user.name), "mode": "username"], with: credential)
      let removed = try await deregister(served, at: authenticator)
      guard !removed.isEmpty else {
        throw SDKError(
          .malformedResponse,
          cause: "the server's request names no key of '\(user.name)' here, or "
            + "another application; the keys stay", subject: profile.name.description)
      }
      return removed
    }
  }

  /// Deletes the keys that a request names.
  private func deregister(
    _ served: ServedRequest, at authenticator: SoftwareAuthenticator
  ) async throws(SDKError) -> [AuthenticatorKey] {
    let request = try attempt { try UAFDeregistrationRequest(parsing: served.text) }
    try await login.facets().requireTrust(of: request.header)
    return try await authenticator.deregister(
      request, facetID: try login.settings().facetID)
  }

  /// Deletes the keys of a user here only.
  ///
  /// - Parameters:
  ///   - account: the user as the server named it; `nil` for `fido.user`, else for the only one.
  ///   - aaid: the model of the authenticator; `nil` for that of the profile.
  /// - Returns: the deleted keys.
  /// - Throws: ``SDKError/Code/invalidRequest`` if it is not clear whose keys are meant.
  public func forget(
    _ account: String? = nil, at aaid: AAID? = nil
  ) async throws(SDKError) -> [AuthenticatorKey] {
    try await attempt(Self.deregistration) {
      let authenticator = try login.authenticator(aaid)
      let keys = try login.keys(of: account, at: authenticator)
      for key in keys { try await authenticator.forget(key.keyID) }
      return keys
    }
  }

  /// Checks that an authenticator has a passcode that can be entered, before anybody types one.
  ///
  /// - Throws: ``SDKError``: `notRegistered` without a passcode, `policy` if the authenticator is locked.
  public func requirePasscode(at aaid: AAID? = nil) async throws(SDKError) {
    try await attempt("could not change the passcode of the FIDO keys") {
      let authenticator = try login.authenticator(aaid, verifiesUser: true)
      let status = try await authenticator.settledPasscodeStatus()
      guard status != .notEnrolled else { throw login.noKey(at: authenticator) }
      try authenticator.passcodeCheck.requireOpen(status)
    }
  }

  /// Changes the passcode of an authenticator.
  ///
  /// - Throws: ``SDKError``: `invalidRequest` if the policy does not allow the new passcode, `wrongPasscode` if
  ///   the old one is wrong, `policy` if the authenticator is locked.
  public func changePasscode(
    from old: [UInt8], to new: [UInt8], at aaid: AAID? = nil
  ) async throws(SDKError) {
    try await login.authenticator(aaid, verifiesUser: true).changePasscode(from: old, to: new)
  }

  private func interaction(
    _ delegates: AuthenticatorDelegates?, _ settings: FIDOSettings
  ) -> Interaction {
    delegates.map { Interaction($0, within: settings.interactionTimeout) } ?? login.interaction
  }

  /// The session for a registration: without a key, another login helps than one with a key.
  private func otherSession() async throws(SDKError) -> (credential: Credential, user: String?) {
    do throws(SDKError) {
      return try await tokens.userSession()
    } catch {
      guard error.userLogin?.means == .fido else { throw error }
      throw error.with(remedy: .login(.init(by: profile.loginMeans(except: .fido))))
    }
  }

  private static let registration = "could not register a FIDO key"
  private static let deregistration = "could not delete the FIDO keys"
}
