import OpenSSL
import Primitives

struct IdentityDecision: Sendable {
  var identity: Identity?
  /// Why none is shown, although there are some for the host: the error if the server refuses to do without.
  var objection: SDKError?
  /// Whether it was obtained just now, so that a refusal is final.
  var isFresh = false
  /// The lock of the machine, which is held until the new identity has been tried.
  var lock: HeldLocks?
}

/// Finds the identity of a host in the store, or obtains one; in one process at a time.
struct IdentityEnrolment: Sendable {
  let environment: SessionEnvironment
  let store: any IdentityStoring
  let obtainer: (any IdentityObtaining)?
  var mayLogIn = false
  var trace: (@Sendable (String) -> Void)?
  var notice: (@Sendable (SessionNotice) -> Void)?
  var authenticationHandler: IdentityObserver.AuthenticationHandler?
  var profile: Profile { environment.profile }

  private var location: StoreLocation { environment.location }
  private var limits: SessionLimits { environment.clock.limits }

  /// `cause` is why the host refused the identity, if it said so.
  func identity(
    for host: String, _ issuers: [[UInt8]], refused: Identity?, cause: String? = nil,
    mayObtain: Bool
  ) async throws(SDKError) -> IdentityDecision {
    // Another process may obtain an identity while this one waits for the lock.
    let before = log.last()
    var known = refused
    var isKnown = refused != nil
    while true {
      if !isKnown {
        let found = try await usable(host, issuers, refused)
        if let identity = found.usable { return IdentityDecision(identity: identity) }
        if refused == nil, obtainer == nil || !mayObtain {
          return IdentityDecision(objection: objection(to: found.stored, for: host, issuers))
        }
        known = found.stored
      }
      guard let obtainer, mayObtain else { throw refusal(of: refused, by: host, cause) }
      // A person may be asked here, and not under the locks.
      try await attempt("could not obtain an identity for \(host) by \(obtainer.name)") {
        try await obtainer.prepare(renewing: nil)
      }
      let (request, lock) = try await locked(host, issuers, refused)
      let held = LockOrder.Held.list(
        [LockOrder.Rank(.enrolment), .identity], of: profile.name, at: location)
      let decision = try await LockOrder.$held.with(LockOrder.held + held) {
        () async throws(SDKError) -> IdentityDecision? in
        try requireNoFailure(for: host, after: before)
        let stored = try await store.sealedIdentity(for: host, acceptableIssuers: issuers)
        guard stored == nil || stored?.chain == known?.chain else { return nil }
        return try await obtained(
          request, refused, inPlaceOf: stored == nil ? nil : known, obtainer)
      }
      guard var decision else {
        lock.release()
        isKnown = false
        continue
      }
      decision.lock = lock
      return decision
    }
  }

  private func locked(
    _ host: String, _ issuers: [[UInt8]], _ refused: Identity?
  ) async throws(SDKError) -> (IdentityRequest, HeldLocks) {
    let lock = HeldLocks()
    lock.add(
      try await ProfileLock.acquire(
        .enrolment, of: profile.name, at: location,
        // A login takes as long as the person.
        waiting: mayLogIn ? max(limits.lock, limits.login) : limits.lock))
    let request = try await request(for: host, issuers, refused)
    // A renewal of the same identity is an enrolment as well.
    lock.add(
      try await ProfileLock.acquire(
        identity: request.name, of: profile.name, at: location, waiting: limits.lock))
    return (request, lock)
  }

  /// Throws what another process was told meanwhile.
  private func requireNoFailure(
    for host: String, after before: AttemptLog.Record?
  ) throws(SDKError) {
    if let last = log.last(), last != before, last.request == host, let error = last.error {
      throw error
    }
  }

  private func obtained(
    _ request: IdentityRequest, _ refused: Identity?, inPlaceOf stored: Identity?,
    _ obtainer: any IdentityObtaining
  ) async throws(SDKError) -> IdentityDecision {
    let (host, issuers) = (request.host, request.acceptableIssuers)
    // A key in a security token is never replaced by one in a file.
    if let refused, refused.key.isInSecurityToken { throw refusal(of: refused, by: host) }
    if let stored, stored.key.isInSecurityToken,
      let objection = objection(to: stored, for: host, issuers)
    {
      throw objection
    }
    do throws(SDKError) {
      let identity = try await obtain(
        request, refused, sealedWith: (refused ?? stored)?.passphrase, obtainer)
      return IdentityDecision(identity: identity, isFresh: true)
    } catch {
      note(error, host)
      throw error
    }
  }

  /// The error of an identity that was obtained just now, and is deleted; what was set aside for it is in use again.
  func rejection(
    of identity: Identity, by host: String, _ cause: String?
  ) async -> SDKError {
    let what: String
    do throws(SDKError) {
      try await store.delete(identity, for: host)
      try await store.restore(for: host)
      what = "which was deleted"
    } catch {
      what = "which could not be taken out of use: \(error.message)"
    }
    let error = SDKError(
      .identity,
      cause: "\(host) refused the new identity '\(identity.name)', \(what)"
        + (cause.map { ": \($0)" } ?? ""),
      subject: host)
    note(error, host)
    return error
  }

  private func request(
    for host: String, _ issuers: [[UInt8]], _ refused: Identity?
  ) async throws(SDKError) -> IdentityRequest {
    let request = try IdentityRequest(for: host, acceptableIssuers: issuers)
    let replaces = refused?.isObtained == true && refused?.name == request.name
    return IdentityRequest(
      name: try await store.freeName(request.name),
      hosts: replaces ? refused?.hosts ?? [] : request.hosts, host: host,
      acceptableIssuers: issuers)
  }

  private func obtain(
    _ request: IdentityRequest, _ refused: Identity?, sealedWith passphrase: OpeningPassphrase?,
    _ obtainer: any IdentityObtaining
  ) async throws(SDKError) -> Identity {
    let host = request.host
    // What a service issued can be issued again; what a person brought stays until then.
    if let refused, refused.isObtained { try await store.delete(refused, for: host) }
    trace?("* obtaining an identity for \(host) by \(obtainer.name)")
    var identity: Identity
    do throws(SDKError) {
      identity = try await IdentityService.obtained(
        from: obtainer, request, now: environment.clock.now)
    } catch {
      // Better than none.
      if refused?.isObtained == true { try? await store.restore(for: host) }
      throw error.during("could not obtain an identity for \(host) by \(obtainer.name)")
    }
    identity.passphrase = passphrase
    try await store.store(try await identity.sealedAgain(), for: host)
    if let refused, !refused.isObtained { try await store.delete(refused, for: host) }
    try await authenticationHandler?(identity, host)
    return identity
  }

  private func usable(
    _ host: String, _ issuers: [[UInt8]], _ refused: Identity?
  ) async throws(SDKError) -> (stored: Identity?, usable: Identity?) {
    guard let stored = try await store.identity(for: host, acceptableIssuers: issuers) else {
      return (nil, nil)
    }
    let isUsable =
      stored.chain != refused?.chain && stored.chain.objection(at: environment.now()) == nil
    return (stored, isUsable ? stored : nil)
  }

  /// Why no stored identity is shown to a host that accepts these authorities; `nil` if there is none for it.
  ///
  /// `stored` is the one of the authorities, which cannot be used now; `nil` if all are of others.
  private func objection(
    to stored: Identity?, for host: String, _ issuers: [[UInt8]]
  ) -> SDKError? {
    if let stored {
      let cause = stored.chain.objection(at: environment.now()) ?? "it cannot be used"
      return SDKError(
        .identity, cause: "the identity '\(stored.name)' is not shown to \(host): \(cause)",
        subject: host)
    }
    let names = store.names(for: host)
    guard !names.isEmpty else { return nil }
    let authorities =
      issuers.prefix(5).compactMap { Certificate.text(ofName: $0) }
      + (issuers.count > 5 ? ["…"] : [])
    return SDKError(
      .identity, cause: "none of the identities for \(host) is of an authority that it accepts",
      details: ["accepted: \(authorities.joined(separator: "; "))", considered(names)],
      subject: host, remedy: .importIdentity(host: host))
  }

  private func refusal(
    of identity: Identity?, by host: String, _ cause: String? = nil
  ) -> SDKError {
    let others = store.names(for: host).filter { $0 != identity?.name }
    return SDKError(
      .identity,
      cause: "\(host) refused the identity" + (identity.map { " '\($0.name)'" } ?? "")
        + (cause.map { ": \($0)" } ?? ""),
      details: others.isEmpty ? [] : [considered(others)], subject: host,
      remedy: others.isEmpty ? nil : .nameIdentity)
  }

  private func considered(_ names: [IdentityName]) -> String {
    "identities for the host: \(names.map(\.description).joined(separator: ", "))"
  }

  private var log: AttemptLog { AttemptLog(location, profile.name, in: "enrolments") }

  private func note(_ error: SDKError, _ host: String) {
    if error.code != .cancelled { log.note(error, of: host, at: environment.now()) }
  }
}
