public import HTTP
import OAuth
import Primitives

/// The tokens of a profile: from the store while they are valid, otherwise from the server.
public struct TokenService: Sendable {
  let server: AuthorizationServer
  let slots: TokenSlots
  /// The ways to renew a credential; the first one that can does.
  let renewals: [any CredentialRenewal]

  var environment: SessionEnvironment { server.environment }
  var profile: Profile { environment.profile }
  func now() -> Timestamp { environment.now() }
  var records: RegistrationRecords { server.records }

  /// The tokens of a slot; `nil` if it is empty.
  ///
  /// An access token from outside the store is used as the user's; the store's own tokens of the
  /// user are then not used.
  ///
  /// - Throws: ``SDKError``, with the command that clears a slot that cannot be read.
  public func stored(in slot: CredentialSlot) async throws(SDKError) -> TokenSet? {
    try await slots.tokens(in: slot)
  }

  /// What requests of a slot carry: tokens, a JWT or cookies; `nil` if the slot is empty.
  ///
  /// - Throws: ``SDKError``, with the command that clears a slot that cannot be read.
  public func provider(in slot: CredentialSlot) async throws(SDKError) -> AuthorizationProvider? {
    try await slots.provider(in: slot)
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
      guard let tokens = try await credential(in: slot, demand).tokens else {
        throw slots.expired("the new login is a set of cookies, not a token")
      }
      return tokens
    }
  }

  /// What a slot holds, if it meets the demand; otherwise what the profile's way to renew it brings.
  func credential(
    in slot: CredentialSlot, _ demand: TokenDemand
  ) async throws(SDKError) -> AuthorizationProvider {
    if slot == .anonymous { try await server.requireValidClient() }
    let start = now()
    var demand = demand
    demand.minimumLifetime = max(demand.minimumLifetime, profile.expiryMargin)
    demand.isBound = profile.requiresBoundTokens
    // Nothing here can renew a token from outside.
    demand.ignoresExpiry = slot == .user && slots.injected != nil
    let (wanted, before) = await (
      demand, try startingCredential(in: slot, demand, isRecent: !demand.asksSharedStore)
    )
    if let before, !demand.forceNew, demand.isMet(by: before, at: now()) { return before }
    return try await attempt(slot.action) {
      var before = before
      if before?.tokens?.isRefreshable != true || wanted.forceNew,
        try environment.secrets.areShared()
      {
        // This machine's copy does not tell whether there was another login meanwhile.
        before = try await startingCredential(in: slot, wanted)
        if let before, !wanted.forceNew, wanted.isMet(by: before, at: now()) { return before }
      }
      do throws(SDKError) {
        return try await renewed(slot, wanted, before, since: start)
      } catch {
        guard error.code == .changedElsewhere else { throw error }
        slots.notice?(.renewalDiscarded(slot))
        guard let current = try await startingCredential(in: slot, wanted),
          wanted.isMet(by: current, renewedFrom: before, since: start, at: now())
        else { throw error }
        return current
      }
    }
  }

  /// What the profile's way to renew a slot brings, unless another process was faster.
  private func renewed(
    _ slot: CredentialSlot, _ wanted: TokenDemand, _ before: AuthorizationProvider?,
    since start: Timestamp
  ) async throws(SDKError) -> AuthorizationProvider {
    let renewal = try await renewal(
      of: slot, holding: before, isRefused: wanted.refusedCredential != nil)
    try await renewal.require(before)
    try await renewal.prepare()
    // What another process wrote meanwhile is as new as anything we would get.
    let others = { () async throws(SDKError) -> AuthorizationProvider? in
      guard let current = try await startingCredential(in: slot, wanted), wanted.scope == nil,
        wanted.isMet(by: current, renewedFrom: before, since: start, at: now())
      else { return nil }
      return current
    }
    let elsewhere = { () async throws(SDKError) -> AuthorizationProvider? in
      // The machine's copy tells what another process of the machine has obtained, without a request.
      if let recent = try await slots.file(slot).content(.recent).provider, recent.tokens != nil,
        !sameIdentifier(recent.tokens?.accessToken, before?.tokens?.accessToken),
        wanted.scope == nil, wanted.isMet(by: recent, renewedFrom: before, since: start, at: now())
      {
        return recent
      }
      return try await others()
    }
    return try await environment.locked(renewal.lock, unless: elsewhere) { () throws(SDKError) in
      if let current = try await others() { return current }
      return try await renewal.renewed(try await startingCredential(in: slot, wanted), wanted)
    }
  }

  /// Asks for the PIN or passphrase that a renewal of a slot needs, before a lock is taken.
  func prepare(_ slot: CredentialSlot) async throws(SDKError) {
    let demand = TokenDemand()
    let held = try await startingCredential(in: slot, demand, isRecent: true)
    if let held, demand.isMet(by: held, at: now()) { return }
    try await renewal(of: slot, holding: held).prepare()
  }

  /// Refuses a slot that holds no credential and for which none can be obtained; makes no
  /// connection.
  ///
  /// - Throws: ``SDKError``: 9010, 9026 or 10012, without an action.
  func require(_ slot: CredentialSlot) async throws(SDKError) {
    let stored = try await slot == .implicit ? nil : slots.provider(in: slot, isRecent: true)
    if stored == nil { try await renewal(of: slot, holding: nil).require(nil) }
  }

  /// What renews a slot: after a refusal, and for a login that is not OAuth, as the profile says.
  private func renewal(
    of slot: CredentialSlot, holding credential: AuthorizationProvider?, isRefused: Bool = false
  ) async throws(SDKError) -> any CredentialRenewal {
    let isSession = credential?.isSession == true
    let setting = isRefused || isSession ? profile.reauthentication : nil
    let way = setting ?? (isSession ? profile.usualSessionRenewal : .refresh)
    if let renewal = renewals.first(where: { $0.renews(slot, holding: credential, by: way) }) {
      return renewal
    }
    throw slots.expired("it has expired, and the profile does not have reauthenticate=form")
  }

  /// What a slot holds before it is renewed.
  ///
  /// If the new token does not depend on the old one, a file that cannot be read is no error.
  private func startingCredential(
    in slot: CredentialSlot, _ demand: TokenDemand, isRecent: Bool = false
  ) async throws(SDKError) -> AuthorizationProvider? {
    guard demand.forceNew, slot != .user, slots.injected == nil || slot == .anonymous else {
      let provider = try await slots.provider(in: slot, isRecent: isRecent)
      if case .cookies = provider, !demand.takesCookies { throw slots.noToken() }
      return provider
    }
    return try await slots.file(slot).content().provider
  }

  /// The cookies of the user's login, which are valid as far as this machine knows.
  ///
  /// If those for the URL have expired, the user is logged in again as the profile says.
  ///
  /// - Parameters:
  ///   - url: what the cookies are for; `nil` for any.
  ///   - demand: how long they must be valid.
  /// - Returns: the cookies; `nil` if the slot holds anything else.
  /// - Throws: ``SDKError/Code/policy`` if no cookie is for the URL.
  public func cookies(
    for url: HTTPURL?, _ demand: TokenDemand = TokenDemand(minimumLifetime: 0)
  ) async throws(SDKError) -> CookieSession? {
    guard case .cookies(var session) = try await slots.provider(in: .user) else { return nil }
    let meant = session.cookies.filter { cookie in url.map { cookie.matches($0) } ?? true }
    let limit = now() + demand.minimumLifetime
    if demand.forceNew || !meant.isEmpty && meant.allSatisfy({ $0.isExpired(at: limit) }) {
      var demand = demand
      demand.takesCookies = true
      guard case .cookies(let renewed) = try await credential(in: .user, demand) else {
        return nil
      }
      session = renewed
    }
    guard let url, session.header(for: url, at: now()) == nil else { return session }
    throw SDKError(
      .policy, "could not use the cookies: none is for \(url.origin)\(url.path)",
      subject: url.origin)
  }

  /// The login that brings a refresh token, after one that brought none.
  ///
  /// `nil` if the server's metadata, as far as it is known already, does not tell.
  public func remedy(forMissingRefreshTokenOf tokens: TokenSet) -> Remedy? {
    server.remedy(forMissingRefreshTokenOf: tokens)
  }
}
