public import HTTP
import OAuth

/// The tokens of a profile: from the store while they are valid, otherwise from the server.
public struct TokenService: SessionService {
  let server: AuthorizationServer
  let slots: TokenSlots
  /// The ways to renew a credential that no refresh token renews; the first one that can does.
  let renewals: [any CredentialRenewal]

  var environment: SessionEnvironment { server.environment }
  var records: RegistrationRecords { server.records }

  /// Decides which slots can be used.
  var gate: SlotGate { SlotGate(records: records, slots: slots, server: server) }

  /// The tokens of a slot; `nil` if it is empty.
  ///
  /// An access token from outside the store is used as the user's; the store's own tokens of the
  /// user are then not used.
  ///
  /// - Throws: ``SDKError``, with the command that clears a slot that cannot be read.
  public func stored(in slot: CredentialSlot) throws(SDKError) -> TokenSet? {
    try slots.tokens(in: slot)
  }

  /// What requests of a slot carry: tokens, a JWT or cookies; `nil` if the slot is empty.
  ///
  /// - Throws: ``SDKError``, with the command that clears a slot that cannot be read.
  public func provider(in slot: CredentialSlot) throws(SDKError) -> AuthorizationProvider? {
    try slots.provider(in: slot)
  }

  /// A valid access token of a slot.
  ///
  /// A stored one that is valid for long enough is returned without lock and without
  /// network. Otherwise one process of the machine renews it under the lock of the
  /// slot and writes it durably before anyone gets it; the others read what it wrote.
  ///
  /// - Throws: ``SDKError``: `notAuthenticated` and `sessionExpired` ask for a login,
  ///   `network` and `busy` for another try.
  public func valid(
    for slot: CredentialSlot, _ demand: TokenDemand = TokenDemand()
  ) async throws(SDKError) -> TokenSet {
    try await attempt(slot.action) {
      try await renewedIfNeeded(slot, demand)
    }
  }

  private func renewedIfNeeded(
    _ slot: CredentialSlot, _ demand: TokenDemand
  ) async throws(SDKError) -> TokenSet {
    var demand = demand
    demand.minimumLifetime = max(demand.minimumLifetime, profile.expiryMargin)
    demand.isBound = profile.requiresBoundTokens
    // Nothing here can renew a token from outside.
    demand.ignoresExpiry = slot == .user && slots.injected != nil
    let (wanted, before) = (demand, try startingTokens(in: slot, demand, isRecent: true))
    if let before, !demand.forceNew, demand.isMet(by: before, at: now()) { return before }
    if let before, before.isSessionJWT {
      return try await renewed(after: before)
    }
    try gate.requireRenewable(slot, holding: before)
    try await records.unseal()
    return try await environment.locked(slot.lock) { () throws(SDKError) in
      let current = try startingTokens(in: slot, wanted)
      // Another process was faster: what it wrote is as new as anything we would get.
      if let current, wanted.scope == nil,
        wanted.isMet(by: current, renewedFrom: before, at: now())
      {
        return current
      }
      return try await environment.uninterrupted { () async throws(SDKError) in
        switch slot {
        case .user: try await refresh.refreshed(current)
        case .implicit: try await obtainedImplicitly(replacing: current, wanted)
        case .anonymous: try await obtainedAnonymously(wanted)
        }
      }
    }
  }

  /// What a slot holds before it is renewed.
  ///
  /// If the new token does not depend on the old one, a file that cannot be read is no error.
  private func startingTokens(
    in slot: CredentialSlot, _ demand: TokenDemand, isRecent: Bool = false
  ) throws(SDKError) -> TokenSet? {
    guard demand.forceNew, slot != .user, slots.injected == nil || slot == .anonymous
    else {
      return try slots.tokens(in: slot, isRecent: isRecent)
    }
    return try slots.file(slot).content().tokens
  }

  private func obtainedAnonymously(_ demand: TokenDemand) async throws(SDKError) -> TokenSet {
    let endpoint = try await server.tokenEndpoint()
    let scope = (demand.scope ?? profile.anonymousScope).flatMap { $0.isEmpty ? nil : $0 }
    try slots.file(.anonymous).proveWritable()
    let response: TokenResponse
    do {
      response = try await endpoint.clientCredentials(scope: scope)
    } catch {
      let isRefused = error.code == .refused
      let failure = SDKError(error, resource: isRefused ? .deviceNotAuthenticated : nil)
      throw error.server?.error == "invalid_scope" ? failure.with(remedy: otherScope) : failure
    }
    let tokens = TokenSet(response, requestedScope: scope, at: now())
    try slots.replace(.anonymous, with: tokens)
    return tokens
  }

  /// What helps if the server refuses the scope, or a request without scope.
  private var otherScope: Remedy {
    .setProfile(key: "anonymousScope", value: nil)
  }
}

extension TokenService {
  /// The thumbprint of the key that tokens are bound to (RFC 7638); `nil` if there is none.
  ///
  /// - Throws: ``SDKError`` if the stored key cannot be read.
  public func dpopThumbprint() throws(SDKError) -> String? { try server.dpop.thumbprint() }

  /// Whether tokens are bound to a key, by the profile or by the registration.
  public var bindsTokens: Bool {
    let registration = try? records.usable()
    return registration?.bindsTokens(of: profile) ?? profile.bindsTokens
  }

  /// The proof of possession that a request with a bound token carries (RFC 9449 section 7.1).
  ///
  /// Valid for one request with that method to that URL, for a short time.
  ///
  /// - Returns: the value of the field `DPoP`; `nil` for a token that is not bound to a key.
  /// - Throws: ``SDKError`` if the stored key cannot be read or is another one.
  public func proof(
    for tokens: TokenSet, _ method: HTTPMethod, _ url: HTTPURL
  ) throws(SDKError) -> String? {
    guard let dpop = try proof(of: tokens) else { return nil }
    return try attempt("could not use the token of '\(profile.name)'") {
      try dpop.proof(method, url, accessToken: tokens.accessToken)
    }
  }

  /// What proves the key of a bound token; `nil` for a token that is bound to none.
  func proof(of tokens: TokenSet) throws(SDKError) -> DPoP? {
    tokens.isBound ? try server.dpop.proof() : nil
  }

  /// Refreshes the user's tokens.
  var refresh: RefreshFlow { RefreshFlow(server: server, slots: slots) }
}

extension CredentialSlot {
  /// What failed if its token could not be had.
  var action: String {
    switch self {
    case .user: "could not use the user's token"
    case .implicit: TokenService.implicitAction
    case .anonymous: "could not get a token for this installation"
    }
  }
}
