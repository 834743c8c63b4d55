import HTTP
import JSON
import OAuth
import Primitives

/// The service that issues the identities of a profile, as its section `identity` says.
struct EnrolmentService: IdentityObtaining {
  /// The protocols of such services.
  enum Kind: String, CaseIterable, Sendable {
    /// Enrolment over Secure Transport (RFC 7030).
    case est
    /// SAP's certificate discovery service.
    case sap
    /// SAP's Secure Login Server.
    case sls
    /// A program that prints certificate and key.
    case command
  }

  let kind: Kind
  let context: EnrolmentContext

  var name: String { kind.rawValue }

  func obtain(_ request: IdentityRequest) async throws(SDKError) -> Identity {
    switch kind {
    case .est: try await ESTObtainer(context).obtain(request)
    case .sap: try await CertificateServiceObtainer(context).obtain(request)
    case .sls: try await SecureLoginObtainer(context).obtain(request)
    case .command: try await CommandObtainer(context).obtain(request)
    }
  }
}

/// What an enrolment service may use of its session.
struct EnrolmentContext: Sendable {
  let profile: Profile
  /// Sends requests behind the profile's pins, without observers.
  let transport: any Transport
  let options: SessionOptions
  let limits: SessionLimits
  /// Returns the time.
  let now: @Sendable () -> Timestamp
  let pause: @Sendable (Duration) async throws -> Void
  /// Returns a valid token of a slot.
  let token: @Sendable (CredentialSlot) async throws(SDKError) -> TokenSet

  /// The value of a key of the section `identity`.
  func setting(_ key: String) -> String? { profile["identity.\(key)"]?.string }

  /// The value of a key without which nothing can be obtained.
  func required(_ key: String) throws(SDKError) -> String {
    guard let value = setting(key) else {
      throw SDKError(
        .invalidConfiguration, cause: "the profile has no identity.\(key)",
        subject: "identity.\(key)")
    }
    return value
  }
}

extension SessionEnvironment {
  /// The service that issues identities: the caller's, or that of the profile; `nil` if there is
  /// none.
  var identityObtainer: (any IdentityObtaining)? {
    if let service = options.identityService { return service }
    guard let kind = profile["identity.obtain"]?.string.flatMap(EnrolmentService.Kind.init) else {
      return nil
    }
    let context = EnrolmentContext(
      profile: profile, transport: transport, options: options, limits: limits, now: now,
      pause: pause,
      // The session owns the observers, which own this.
      token: { [weak self] (slot) throws(SDKError) in
        guard let self else { throw IdentityDecisions.cancelled }
        return try await enrolmentToken(slot)
      })
    return EnrolmentService(kind: kind, context: context)
  }
}

extension SessionEnvironment {
  /// A valid token of a slot; the user is logged in first if that helps and somebody can be asked.
  private func enrolmentToken(_ slot: CredentialSlot) async throws(SDKError) -> TokenSet {
    let other = try profile["identity.profile"]?.string.map { (text) throws(SDKError) in
      try opening(try ProfileName(text))
    }
    return try await (other ?? self).loggedInToken(slot, isOther: other != nil)
  }

  private func loggedInToken(
    _ slot: CredentialSlot, isOther: Bool
  ) async throws(SDKError) -> TokenSet {
    let owner = RequestOwner(TokenSlots(self))
    do throws(SDKError) {
      return try await TokenService(self).valid(for: slot)
    } catch {
      guard var login = error.userLogin, injectedToken == nil else { throw error }
      guard let logIn = options.identityLogin else {
        login.profile = isOther ? profile.name : nil
        throw error.with(remedy: .login(login))
      }
      try await logIn(ProfileSession(self), login)
    }
    // The request for which the identity is obtained is the former user's.
    try owner.confirm(nil)
    return try await TokenService(self).valid(for: slot)
  }
}

extension ProfileSession {
  /// The service that issues identities, as the profile's section `identity` says; `nil` for none.
  public var identityObtainer: (any IdentityObtaining)? { environment.identityObtainer }
}
