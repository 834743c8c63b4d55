import OAuth
import Primitives

/// How fresh a token must be.
public struct TokenDemand: Sendable, Hashable {
  /// The seconds that the access token must at least live on.
  public var minimumLifetime: Int64
  /// Whether a new one is wanted in any case.
  public var forceNew: Bool
  /// A token that a server has just refused, and so is not to be handed out again.
  public var refused: String?
  /// The scope of a new implicit or anonymous token; `nil` for the profile's, or for an implicit
  /// one that of the old one.
  package var scope: String?
  /// Whether it must be bound to a key (RFC 9449).
  var isBound = false

  /// Makes a demand; the default is thirty seconds of life.
  public init(minimumLifetime: Int64 = 30, forceNew: Bool = false, refused: String? = nil) {
    self.minimumLifetime = minimumLifetime
    self.forceNew = forceNew
    self.refused = refused
  }

  /// Whether tokens are as fresh as a server makes them: somebody else has just obtained them.
  ///
  /// Where tokens live shorter than is asked for, everybody would obtain new ones in turn.
  func isMet(by tokens: TokenSet, renewedFrom before: TokenSet?, at now: Int64) -> Bool {
    guard tokens != before else { return false }
    let isNew = !sameIdentifier(tokens.accessToken, before?.accessToken)
    var demand = self
    if isNew { demand.minimumLifetime = 0 }
    return demand.isMet(by: tokens, at: now)
  }

  /// Whether tokens are as fresh as that.
  func isMet(by tokens: TokenSet, at now: Int64) -> Bool {
    !sameIdentifier(tokens.accessToken, refused) && (tokens.isBound || !isBound)
      && tokens.isValid(at: now, minimumLifetime: minimumLifetime)
  }
}

extension ProfileSession {
  /// A valid access token of a slot.
  ///
  /// A stored one that lives long enough is answered without lock and without
  /// network. Otherwise one process of the machine renews it under the lock of the
  /// slot and writes it durably before anyone gets it; the others read what it wrote.
  ///
  /// - Throws: ``SDKError``: `notAuthenticated` and `sessionExpired` ask for a login,
  ///   `network` and `busy` for another try.
  public func token(
    for slot: CredentialSlot, _ demand: TokenDemand = TokenDemand()
  ) async throws(SDKError) -> TokenSet {
    var demand = demand
    demand.minimumLifetime = max(demand.minimumLifetime, profile.expiryMargin)
    demand.isBound = profile.requiresBoundTokens
    let (wanted, before) = (demand, try startingTokens(in: slot, demand))
    if let before, !demand.forceNew, demand.isMet(by: before, at: now()) { return before }
    if slot == .user, injectedToken != nil { throw injectedTokenRefused() }
    try requireRenewable(before, slot)
    let renewed = try await locked(slot.lock) { () throws(SDKError) in
      let current = try startingTokens(in: slot, wanted)
      // Another process was faster: what it wrote is as new as anything we would get.
      if let current, wanted.scope == nil,
        wanted.isMet(by: current, renewedFrom: before, at: now())
      {
        return current
      }
      return try await uninterrupted { () async throws(SDKError) in
        switch slot {
        case .user: try await refreshed(current)
        case .implicit: try await obtainedImplicitly(replacing: current, wanted)
        case .device: try await obtainedForDevice(wanted)
        }
      }
    }
    guard !renewed.usage.isUsedUp else { throw expired("its token is used up from the start") }
    return renewed
  }

  /// The token endpoint; it gets proofs of possession where the policy or the caller wants them.
  ///
  /// With `isBound` tokens are to be bound to a key, `nil` is the profile's way; who
  /// `insists` on it gets no bearer token.
  func tokenEndpoint(
    _ action: String, binding isBound: Bool? = nil, insisting insists: Bool = false
  ) async throws(SDKError) -> TokenEndpoint {
    guard isBound != false || !profile.requiresBoundTokens else {
      throw SDKError(
        .policy, "\(action): the profile requires tokens that are bound to a key (dpop=required)")
    }
    let registration = try requiredRegistration()
    let metadata = try await metadata(offering: .token)
    let client = try client(registration, at: metadata, action)
    var exchange = exchange()
    if isBound ?? registration.bindsTokens(of: profile) {
      exchange.dpop = try await dpop(at: metadata, action)
      if insists { exchange.dpop?.isRequired = true }
    }
    let proving = exchange
    return try await exchanging(action) { () throws(OAuthError) in
      var endpoint = TokenEndpoint(try metadata.required(.token), client: client, over: proving)
      endpoint.refreshURL = profile.ownEndpoint("refresh")
      return endpoint
    }
  }

  /// What a slot holds before it is renewed; what cannot be read is none where a new token, which
  /// does not come from the old one, is wanted in any case.
  private func startingTokens(
    in slot: CredentialSlot, _ demand: TokenDemand
  ) throws(SDKError) -> TokenSet? {
    guard demand.forceNew, slot != .user, injectedToken == nil || slot == .device else {
      return try tokens(in: slot)
    }
    return try credentials(slot).content().tokens
  }

  /// Fails early, and the same way with and without a free lock.
  private func requireRenewable(_ tokens: TokenSet?, _ slot: CredentialSlot) throws(SDKError) {
    switch slot {
    case .user:
      guard let tokens else { throw notLoggedIn() }
      guard tokens.refreshToken != nil else {
        throw expired(
          cause(ofEnd: tokens), remedy: remedy(forMissingRefreshTokenOf: tokens))
      }
    case .implicit:
      guard try implicitGrantor() != nil else { throw noImplicitGrantor() }
    case .device:
      guard try registration()?.isConfidential == true else {
        throw SDKError(
          .notRegistered,
          "could not get a token for this installation: it is not registered with credentials",
          resource: .deviceNotAuthenticated, subject: profile.name.description)
      }
    }
  }

  /// Why tokens that nothing renews are of no use.
  private func cause(ofEnd tokens: TokenSet) -> String {
    if tokens.usage.isUsedUp {
      return "its token has been used as often as it may, and cannot be refreshed"
    }
    if profile.requiresBoundTokens, !tokens.isBound {
      return "its token is bound to no key, which the profile requires (dpop=required)"
    }
    if tokens.isValid(at: now(), minimumLifetime: 0) {
      return "the server gave no refresh token, so the token cannot be renewed"
    }
    return "it expired and cannot be refreshed"
  }

  private func obtainedForDevice(_ demand: TokenDemand) async throws(SDKError) -> TokenSet {
    let action = "could not get a token for this installation"
    let endpoint = try await tokenEndpoint(action)
    let scope = (demand.scope ?? profile.anonymousScope).flatMap { $0.isEmpty ? nil : $0 }
    try credentials(.device).proveWritable()
    let response: TokenResponse
    do {
      response = try await endpoint.clientCredentials(scope: scope)
    } catch {
      let isRefused = error.code == .refused
      let failure = SDKError(error, action, resource: isRefused ? .deviceNotAuthenticated : nil)
      throw error.server?.error == "invalid_scope" ? failure.with(remedy: otherScope) : failure
    }
    let tokens = TokenSet(response, requestedScope: scope, at: now())
    try replace(.device, with: tokens)
    return tokens
  }

  /// What helps where the server refuses the scope, or that there is none.
  private var otherScope: Remedy {
    .setProfile(key: "anonymousScope", value: nil)
  }

  func notLoggedIn() -> SDKError {
    SDKError(
      .notAuthenticated, "could not use the user's token: nobody is logged in to '\(profile.name)'",
      resource: .userNotAuthenticated, subject: profile.name.description)
  }

  func expired(_ cause: String, remedy: Remedy? = nil) -> SDKError {
    SDKError(
      .sessionExpired, "could not use the login of '\(profile.name)': \(cause)",
      resource: .userNotAuthenticated, subject: profile.name.description, remedy: remedy)
  }

  private func injectedTokenRefused() -> SDKError {
    guard !profile.requiresBoundTokens else {
      return SDKError(
        .policy,
        "could not use the token of SDKCTL_TOKEN: it is bound to no key, and the profile requires "
          + "that (dpop=required)")
    }
    return injectedTokenExpired()
  }

  private func injectedTokenExpired() -> SDKError {
    SDKError(
      .sessionExpired, "could not use the token of SDKCTL_TOKEN: it cannot be renewed",
      resource: .userNotAuthenticated)
  }
}
