import HTTP
import OAuth
import OpenSSL
import Primitives

/// The result of a renewal.
public enum IdentityRenewal: Sendable, Hashable {
  /// It was renewed.
  case renewed(Identity, former: Identity)
  /// It need not be renewed yet.
  case notDue(Identity)
}

extension IdentityService {
  /// The enrolment service of the profile.
  ///
  /// - Throws: ``SDKError/Code/noEnrolment`` if the profile has none.
  public func enrolment() throws(SDKError) -> any IdentityObtaining {
    if let obtainer { return obtainer }
    throw SDKError(
      .noEnrolment, cause: "the profile '\(profile.name)' has no enrolment service")
  }

  /// Checks that the profile has an enrolment service whose servers have pins, before a person is asked for anything.
  ///
  /// - Throws: ``SDKError/Code/noEnrolment``, ``SDKError/Code/pin``.
  public func requireEnrolment() throws(SDKError) {
    try attempt("could not obtain an identity") { try enrolment().requirePins() }
  }

  /// Renews an identity if that is due; one process at a time does.
  ///
  /// The self-signed certificate of the registration is replaced at the authorization server, any
  /// other is obtained from the enrolment service. Nothing is stored unless the new identity is
  /// complete and can be used. A sealed key is replaced by a sealed one, under the same passphrase.
  ///
  /// - Throws: ``SDKError/Code/noEnrolment`` if nobody issues certificates for the profile, and the
  ///   errors of the service.
  public func renew(
    _ name: IdentityName, within window: RenewalWindow? = nil,
    unlock: IdentityStore.Unlock? = nil
  ) async throws(SDKError) -> IdentityRenewal {
    try await attempt("could not renew the identity '\(name)'") {
      while true {
        let identity = try store().identity(named: name)
        if !isDue(identity, window) { return .notDue(identity) }
        if identity.origin != .selfSigned { try enrolment().requirePins() }
        // A person may take longer than others wait for a lock.
        let former = try await store(unlock: unlock).unsealed(identity)
        if identity.origin == .selfSigned {
          try await openClient()
        } else {
          try await enrolment().prepare(renewing: former)
        }
        let renewal = try await environment.lockedIdentity(name) {
          () async throws(SDKError) -> IdentityRenewal? in
          let current = try store().identity(named: name)
          // Another process may just have renewed it.
          guard current == identity else { return nil }
          return .renewed(try await newIdentity(inPlaceOf: former), former: identity)
        }
        if let renewal { return renewal }
      }
    }
  }

  private func isDue(_ identity: Identity, _ window: RenewalWindow?) -> Bool {
    // A new one may begin later than now, by the clock of its authority.
    window.map { ![.good, .notYetValid].contains(identity.condition(at: environment.now(), $0)) }
      ?? true
  }

  /// A request for an identity, by default for the host of the profile's resources and with its name.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` if there is no host.
  public func request(
    for host: IdentityHost?, named name: IdentityName? = nil
  ) throws(SDKError) -> IdentityRequest {
    var hosts = try defaultHosts
    if let host { hosts = [host] }
    guard let first = hosts.first else {
      throw SDKError(
        .invalidRequest, "could not obtain an identity: no host is given, and the profile has none")
    }
    return IdentityRequest(
      name: try IdentityName(name, orOf: hosts), hosts: hosts, host: first.host)
  }

  /// Obtains an identity from the enrolment service, and stores it; an obtained one of the same name is replaced.
  ///
  /// - Parameters:
  ///   - request: what is wanted.
  ///   - passphrase: seals the key; `nil` leaves it unsealed.
  ///   - replaces: whether one of the same name that a person imported or made is replaced too.
  /// - Returns: the stored identity.
  /// - Throws: ``SDKError/Code/noEnrolment`` if nobody issues certificates for the profile,
  ///   ``SDKError/Code/invalidRequest`` if a key would be lost, or replaced by one that is not sealed,
  ///   and the errors of the service.
  public func obtain(
    _ request: IdentityRequest, passphrase: [UInt8]? = nil, replaces: Bool = false
  ) async throws(SDKError) -> Identity {
    try await attempt("could not obtain an identity for '\(request.host)'") {
      try requireReplaceable(request.name, isSealedAgain: passphrase != nil, isWanted: replaces)
      try await enrolment().prepare(renewing: nil)
      return try await environment.lockedIdentity(request.name) { () throws(SDKError) in
        try requireReplaceable(request.name, isSealedAgain: passphrase != nil, isWanted: replaces)
        var identity = try await Self.obtained(
          from: try enrolment(), request, now: environment.clock.now)
        identity.passphrase = passphrase.map { OpeningPassphrase($0) }
        return try await save(identity)
      }
    }
  }

  private func requireReplaceable(
    _ name: IdentityName, isSealedAgain: Bool, isWanted: Bool
  ) throws(SDKError) {
    guard let former = try store().files.stored(name) else { return }
    func refusal(_ cause: String) -> SDKError {
      SDKError(.invalidRequest, cause: cause, subject: former.name.description)
    }
    guard former.isObtained || isWanted else {
      throw refusal("there is an identity of the name '\(former.name)', which was imported or made")
    }
    if former.key.isSealed, !isSealedAgain {
      throw refusal(
        "the key of the identity '\(former.name)' is sealed, and the new one would not be")
    }
    if former.key.isInSecurityToken, !isWanted {
      throw refusal("the key of the identity '\(former.name)' is in a security token: renew it")
    }
  }

  private func newIdentity(inPlaceOf former: Identity) async throws(SDKError) -> Identity {
    guard former.origin != .selfSigned else {
      // The server gets the new key and certificate first (RFC 7592).
      try await renewClientCertificate(former.passphrase?.bytes)
      return try store().identity(named: former.name)
    }
    let host = former.hosts.first?.host ?? profile.resourceURL?.host ?? ""
    let service = try enrolment()
    var identity = try await Self.obtained(
      from: service,
      IdentityRequest(name: former.name, hosts: former.hosts, host: host, renewing: former),
      now: environment.clock.now)
    if case .securityToken = former.key, identity.key != former.key {
      // A key in a security token is never replaced by one in a file.
      throw SDKError(
        .malformedResponse, cause: "the service returned a certificate for another key")
    }
    identity.passphrase = former.passphrase
    identity.refusedBy = former.refusedBy
    let stored = try await save(identity)
    do throws(SDKError) { try await service.retire(former) } catch {
      notice?(.identityNotRetired(former.name, error.message))
    }
    return stored
  }

  private func save(_ identity: Identity) async throws(SDKError) -> Identity {
    let stored = try await identity.sealedAgain()
    try await store().save(stored)
    return stored
  }

  /// The identity that a service returns, checked: a service is not trusted.
  ///
  /// `now` returns the time at which the certificate has been issued.
  static func obtained(
    from service: any IdentityObtaining, _ request: IdentityRequest,
    now: @Sendable () -> Timestamp
  ) async throws(SDKError) -> Identity {
    let identity = try await service.obtain(request)
    guard identity.name == request.name else {
      throw SDKError(.malformedResponse, cause: "the service returned another identity")
    }
    do throws(SDKError) {
      if case .pem(let pem) = identity.key {
        try identity.chain.requireKey(try IdentityMaterial(reading: Array(pem.utf8)))
      }
      if case .securityToken(let uri) = identity.key,
        SecurityTokenKeys.opened(uri)?.fits(identity.chain) != true
      {
        throw SDKError(
          .malformedResponse, cause: "the certificate is not for the key of the security token")
      }
      guard identity.chain.leaf.isNamed else {
        throw SDKError(.malformedResponse, cause: "the certificate names nobody")
      }
      if let current = request.current, !identity.chain.leaf.namesTheSame(as: current.chain.leaf) {
        throw SDKError(
          .malformedResponse,
          cause: "the certificate is for '\(identity.chain.subject)', not for "
            + "'\(current.chain.subject)'")
      }
      let (time, start) = (now(), identity.chain.notBefore)
      // The clock of the authority may be ahead.
      try requireUsable(identity.chain, at: time < start && start <= time + 300 ? start : time)
    } catch {
      throw SDKError(.malformedResponse, cause: error.message, subject: request.host)
    }
    return identity
  }
}
