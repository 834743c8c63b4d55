import Primitives
public import UAF

/// Operations that begin elsewhere: a token is redeemed for the request of the server.
extension FIDOService {
  /// Registers a key for the user who began the registration; no session is needed.
  ///
  /// - Parameters:
  ///   - payload: what begins the registration.
  ///   - aaid: the model of the authenticator; `nil` for that of the profile.
  ///   - verifiesUser: whether the user has a PIN.
  ///   - delegates: who is asked; `nil` for those of the session.
  /// - Returns: the key.
  /// - Throws: ``SDKError``: `invalidRequest` if the payload is for another operation, `policy` if it
  ///   leads to another server, `refused` if the token is not valid any more.
  @inline(never)
  public func register(
    _ payload: OutOfBandPayload, at aaid: AAID? = nil, verifiesUser: Bool = true,
    asking delegates: AuthenticatorDelegates? = nil
  ) async throws(SDKError) -> AuthenticatorKey {
    try await attempt(Self.registration) {
      let authenticator = try sessions.authenticator(aaid, verifiesUser: verifiesUser)
      let status = try await authenticator.settledPINStatus()
      try authenticator.pinCheck.requireNotLocked(status)
      return try await register(
        try await redeem(payload, for: .registration), at: authenticator, asking: delegates)
    }
  }

  /// Logs a user in with a key; the cookies or the JWT replace the content of the user's slot.
  ///
  /// The token is redeemed after the PIN was entered.
  ///
  /// - Parameters:
  ///   - payload: what begins the authentication.
  ///   - account: the user at the server; `nil` for `fido.user`, else for any whose key the server accepts.
  ///   - aaid: the model of the authenticator; `nil` as for the other logins.
  ///   - delegates: who is asked; `nil` for those of the session.
  /// - Returns: the cookies or the JWT.
  /// - Throws: ``SDKError``: as for a registration; `notRegistered` without a key.
  @inline(never)
  public func logIn(
    _ payload: OutOfBandPayload, _ account: String? = nil, at aaid: AAID? = nil,
    asking delegates: AuthenticatorDelegates? = nil
  ) async throws(SDKError) -> AuthorizationProvider {
    try await attempt(FIDOSessions.action) {
      let interaction = interaction(delegates, try sessions.settings())
      let authenticator = try sessions.authenticator(
        try await interaction.model(aaid, among: inventory()))
      guard try !authenticator.keys().isEmpty else { throw sessions.noKey(at: authenticator) }
      let user =
        (try? sessions.user(account, at: authenticator)) ?? .init(name: "", keyName: nil)
      try await interaction.enterPIN(of: authenticator, for: user.name)
      let request = try await redeem(payload, for: .authentication)
      return try await untilPINIsRight(interaction, at: authenticator, for: user.name) {
        () async throws(SDKError) in
        try await sessions.run(user, authenticator, interaction.bounded, redeemed: request)
      }
    }
  }

  /// Deletes the keys that the server names; no session is needed.
  ///
  /// - Parameters:
  ///   - payload: what begins the deregistration.
  ///   - aaid: the model of the authenticator; `nil` for that of the profile.
  /// - Returns: the deleted keys.
  /// - Throws: ``SDKError``: as for a registration.
  @inline(never)
  public func deregister(
    _ payload: OutOfBandPayload, at aaid: AAID? = nil
  ) async throws(SDKError) -> [AuthenticatorKey] {
    try await attempt(Self.deregistration) {
      let authenticator = try sessions.authenticator(aaid)
      return try await deregister(
        try await redeem(payload, for: .deregistration), at: authenticator)
    }
  }

  /// The request that the token of a payload stands for.
  private func redeem(
    _ payload: OutOfBandPayload, for operation: UAFOperation
  ) async throws(SDKError) -> ServedRequest {
    let data: RedeemData
    switch payload.content {
    case .plain(let plain): data = plain
    case .encrypted(let message):
      data = try DispatchTargetFile(environment).decrypted(message)
    }
    return try await sessions.client().redeem(data, for: operation)
  }
}

extension OutOfBandPayload {
  /// Reads a payload: JSON, base64url of it, or a link with it in `dispatchTokenResponse`.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` for anything else; no error has a part of the payload.
  public init(_ text: String) throws(SDKError) {
    do throws(UAFError) {
      try self.init(parsing: text)
    } catch {
      throw SDKError(.invalidRequest, "could not read the out-of-band payload: \(error.message)")
    }
  }
}
