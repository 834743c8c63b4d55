public import HTTP
public import JSON
import OAuth
import Primitives

/// The tokens of a profile: from the store while they are valid, otherwise from the server.
public struct TokenService: Sendable {
  let server: AuthorizationServer
  package let slots: TokenSlots
  /// The ways to renew a credential; the first one that can does.
  package let renewals: [any CredentialRenewal]

  package var environment: SessionEnvironment { server.environment }
  var profile: Profile { environment.profile }
  func now() -> Timestamp { environment.now() }
  var records: RegistrationRecords { server.records }

  /// The tokens of a slot; `nil` if it is empty.
  ///
  /// An access token from outside the store is used as the user's; the store's own tokens of the
  /// user are then not used.
  ///
  /// - Throws: ``SDKError``, with the command that clears a slot that cannot be read.
  public func tokens(in slot: CredentialSlot) async throws(SDKError) -> TokenSet? {
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
  package func credential(
    in slot: CredentialSlot, _ demand: TokenDemand
  ) async throws(SDKError) -> AuthorizationProvider {
    if slot == .anonymous { try await server.requireValidClient() }
    let start = environment.now()
    var demand = demand
    demand.minimumLifetime = max(demand.minimumLifetime, profile.expiryMargin)
    demand.isBound = profile.requiresBoundTokens
    // Nothing here can renew a token from outside.
    demand.ignoresExpiry = slot == .user && slots.injected != nil
    let (wanted, before) = await (
      demand, try startingCredential(in: slot, demand, isRecent: true)
    )
    if let before, !demand.forceNew, demand.isMet(by: before, at: environment.now()) {
      return before
    }
    return try await attempt(slot.action) {
      do throws(SDKError) {
        return try await newCredential(in: slot, wanted, before, since: start)
      } catch {
        guard error.code == .changedElsewhere else { throw error }
        slots.notice?(.renewalDiscarded(slot))
        guard let current = try await startingCredential(in: slot, wanted),
          wanted.isMet(by: current, renewedFrom: before, since: start, at: environment.now())
        else { throw error }
        return current
      }
    }
  }

  /// What the profile's way to renew a slot brings, unless another process was faster.
  private func newCredential(
    in slot: CredentialSlot, _ wanted: TokenDemand, _ before: AuthorizationProvider?,
    since start: Timestamp
  ) async throws(SDKError) -> AuthorizationProvider {
    let (renewal, before) = try await requiredRenewal(of: slot, holding: before, wanted)
    if !wanted.forceNew, let before, wanted.isMet(by: before, at: environment.now()) {
      return before
    }
    try await renewal.prepare(before)
    return try await slots.opening(slot, under: renewal.lock) {
      // What another process wrote meanwhile is as new as anything we would get.
      (content) async throws(SDKError) -> AuthorizationProvider? in
      guard let current = try starting(content, in: slot, wanted), wanted.scope == nil,
        wanted.isMet(by: current, renewedFrom: before, since: start, at: environment.now())
      else { return nil }
      return current
    } _: { (open) async throws(SDKError) in
      try await renewal.newCredential(for: open, wanted)
    }
  }

  /// What renews a slot, and what that holds; a slot that cannot be renewed is read once more under its lock, where the
  /// login of another machine is seen.
  private func requiredRenewal(
    of slot: CredentialSlot, holding before: AuthorizationProvider?, _ wanted: TokenDemand
  ) async throws(SDKError) -> (any CredentialRenewal, AuthorizationProvider?) {
    let isRefused = wanted.refusedCredential != nil
    do throws(SDKError) {
      let renewal = try renewal(of: slot, holding: before, isRefused: isRefused)
      try await renewal.require(before)
      return (renewal, before)
    } catch {
      guard (try? environment.secrets.areShared()) == true else { throw error }
      let found = try await seen(slot, wanted)
      let renewal = try renewal(of: slot, holding: found, isRefused: isRefused)
      if found.map({ wanted.isMet(by: $0, at: now()) }) != true { try await renewal.require(found) }
      return (renewal, found)
    }
  }

  private func seen(
    _ slot: CredentialSlot, _ demand: TokenDemand
  ) async throws(SDKError) -> AuthorizationProvider? {
    guard slots.injected == nil || slot == .anonymous else { return nil }
    return try await slots.opening(slot) { (open) async throws(SDKError) in
      try starting(open.content, in: slot, demand)
    }
  }

  /// Asks for the passcode or passphrase that a renewal of a slot needs, before a lock is taken.
  func prepare(_ slot: CredentialSlot) async throws(SDKError) {
    let demand = TokenDemand()
    let held = try await startingCredential(in: slot, demand, isRecent: true)
    if let held, demand.isMet(by: held, at: environment.now()) { return }
    try await renewal(of: slot, holding: held).prepare(held)
  }

  /// Refuses an empty slot for which no credential can be obtained; makes no connection.
  func require(_ slot: CredentialSlot) async throws(SDKError) {
    let stored = try await slot == .implicit ? nil : slots.provider(in: slot, isRecent: true)
    guard stored == nil else { return }
    do throws(SDKError) { try await renewal(of: slot, holding: nil).require(nil) } catch {
      guard (try? environment.secrets.areShared()) == true else { throw error }
      if try await seen(slot, TokenDemand()) == nil {
        try await renewal(of: slot, holding: nil).require(nil)
      }
    }
  }

  /// What renews a slot: after a refusal, and for a login that is not OAuth, as the profile says.
  private func renewal(
    of slot: CredentialSlot, holding credential: AuthorizationProvider?, isRefused: Bool = false
  ) throws(SDKError) -> any CredentialRenewal {
    let isOutsideOAuth = credential?.isOutsideOAuth == true
    let setting = isRefused || isOutsideOAuth ? profile.reauthentication : nil
    let way = setting ?? (isOutsideOAuth ? .login(profile.loginMeans) : .refresh)
    if let renewal = renewals.first(where: { $0.renews(slot, holding: credential, by: way) }) {
      return renewal
    }
    throw slots.expired("it has expired, and the profile does not say how the user logs in again")
  }

  private func startingCredential(
    in slot: CredentialSlot, _ demand: TokenDemand, isRecent: Bool = false
  ) async throws(SDKError) -> AuthorizationProvider? {
    if slots.injected != nil, slot != .anonymous {
      return try await slots.provider(in: slot, isRecent: isRecent)
    }
    return try starting(
      try await isRecent ? slots.recent(slot) : slots.file(slot).content(), in: slot, demand)
  }

  /// The same of what was read.
  ///
  /// If the new token does not depend on the old one, a file that cannot be read is no error.
  private func starting(
    _ content: SlotContent, in slot: CredentialSlot, _ demand: TokenDemand
  ) throws(SDKError) -> AuthorizationProvider? {
    guard !demand.forceNew || slot == .user else { return content.provider }
    if let damage = content.damage { throw slots.clearing(slot, after: damage) }
    if case .cookies = content.provider, !demand.takesCookies { throw slots.noToken() }
    return content.provider
  }

  /// The cookies of the user's login, which are valid as far as this machine knows.
  ///
  /// If those for the URL have expired, the user is logged in again as the profile says.
  ///
  /// - Returns: the cookies; `nil` if the slot holds anything else.
  /// - Throws: ``SDKError/Code/policy`` if no cookie is for the URL.
  public func cookies(
    for url: HTTPURL?, _ demand: TokenDemand = TokenDemand(minimumLifetime: 0)
  ) async throws(SDKError) -> SessionCookies? {
    guard case .cookies(var session) = try await slots.provider(in: .user) else { return nil }
    let meant = session.cookies.filter { cookie in url.map { cookie.matches($0) } ?? true }
    let limit = environment.now() + demand.minimumLifetime
    if demand.forceNew || !meant.isEmpty && meant.allSatisfy({ $0.isExpired(at: limit) }) {
      var demand = demand
      demand.takesCookies = true
      guard case .cookies(let renewed) = try await credential(in: .user, demand) else {
        return nil
      }
      session = renewed
    }
    guard let url, session.header(for: url, at: environment.now()) == nil else { return session }
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

/// The kind of a token that is introspected or revoked.
public enum TokenKind: Sendable, Hashable {
  /// An access token.
  case access
  /// A refresh token.
  case refresh

  /// For the server to find the token faster.
  fileprivate var hint: TokenHint { self == .access ? .access : .refresh }
}

extension TokenService {
  /// The introspection response of the server about a token (RFC 7662): `active`, and further members if it is.
  ///
  /// - Throws: ``SDKError``: `unsupported` if the server has no such endpoint, `untrusted` for a
  ///   signed response that does not verify.
  public func introspect(
    _ token: String, _ kind: TokenKind?, signed: Bool = false
  ) async throws(SDKError) -> JSONObject {
    let action = "could not introspect the token"
    return try await attempt(action) {
      let registration = try await records.required()
      let metadata = try await server.metadata(offering: .introspection)
      let client = try await server.client(
        registration, at: metadata, for: [.introspection], presenting: stored(token)?.endpoints)
      let server = server
      return try await attempt {
        try await server.serverClient().introspection(
          of: token, hint: kind?.hint, isSigned: signed, from: metadata, as: client, at: now()
        ) { () throws(OAuthError) in try server.keys(of: metadata) }
      }
    }
  }

  /// Revokes a token at the server (RFC 7009); the stored tokens stay as they are.
  ///
  /// - Throws: ``SDKError``: `unsupported` if the server has no such endpoint.
  public func revoke(_ token: String, _ kind: TokenKind?) async throws(SDKError) {
    try await attempt("could not revoke the token") {
      let registration = try await records.required()
      let metadata = try await server.metadata(offering: .revocation)
      let client = try await server.client(
        registration, at: metadata, for: [.revocation], presenting: stored(token)?.endpoints)
      try await attempt {
        try await server.serverClient().revoke(
          token, hint: kind?.hint, at: try metadata.required(.revocation),
          as: client.at(.revocation, of: metadata))
      }
    }
  }
}
