import JSON
import OAuth
import Primitives

struct RegistrationRecords: Sendable {
  let environment: SessionEnvironment
  /// Opens the key of an identity before a lock is taken; a person may be asked.
  let openKey: @Sendable (Identity) async throws(SDKError) -> Identity
  let seal: UserSeal
  private let recent = StoreMemory<ProfileName, Registration?>()
  var profile: Profile { environment.profile }

  var file: RegistrationStore { RegistrationStore(environment.secrets, seal) }

  /// What this installation is registered as; `nil` when it is not.
  ///
  /// Under the lock of the registration as it is stored, elsewhere as it was within the last second: one exchange asks
  /// for it several times.
  func current() async throws(SDKError) -> Registration? {
    guard !LockOrder.holds(.registration, of: profile.name, at: environment.location) else {
      return try await read()
    }
    return try await recent.value(of: profile.name) { () async throws(SDKError) in
      try await read()
    }
  }

  private func read() async throws(SDKError) -> Registration? {
    let issuer = profile.issuer?.text ?? ""
    if let stored = try await file.load() {
      guard sameIdentifier(stored.issuer, issuer) else {
        throw SDKError(
          .registeredElsewhere,
          "could not use the registration of '\(profile.name)': it is of another issuer, "
            + "'\(stored.issuer)'")
      }
      return stored
    }
    guard let clientID = profile.clientID else { return nil }
    return Registration(
      issuer: issuer, source: .given, obtained: 0,
      client: JSONObject(present: [
        "client_id": .string(clientID), "token_endpoint_auth_method": "none",
        "redirect_uris": profile.redirectURI.map { .strings([$0]) },
      ]))
  }

  /// The registration that can be used; one of another issuer counts as none.
  func usable() async throws(SDKError) -> Registration? {
    do {
      return try await current()
    } catch {
      guard error.code == .registeredElsewhere else { throw error }
      return nil
    }
  }

  func required() async throws(SDKError) -> Registration {
    let registration = try await manageable()
    if registration.method.usesCertificate {
      try attempt("could not use '\(profile.name)'") {
        try registration.requireCertificate(at: environment.now(), profile.name)
      }
    }
    return registration
  }

  /// The registration with what the profile's passcode seals of it; the passcode is asked for, so not under a lock.
  func openedByPasscode(_ registration: Registration) async throws(SDKError) -> Registration {
    guard registration.isSealed else { return registration }
    try await seal.open()
    return try await file.load() ?? registration
  }

  /// The registration with all its secrets; asks for the passcode or the passphrase if it is sealed.
  func unsealed(_ registration: Registration) async throws(SDKError) -> Registration {
    var registration = try await openedByPasscode(registration)
    guard let identity = try await file.identity(of: registration) else { return registration }
    guard let key = try await file.signingKey(try await openKey(identity)) else {
      throw SDKError(
        .identity, cause: "the key of the client certificate cannot be used",
        subject: profile.name.description)
    }
    registration.key = key
    return registration
  }

  /// Asks for the passcode of the client if it is sealed, before a lock is taken.
  func openByPasscode() async throws(SDKError) {
    if let registration = try await usable() { _ = try await openedByPasscode(registration) }
  }

  /// Asks for the passcode and the passphrase of the client now if it is sealed, before a lock is taken.
  func unseal() async throws(SDKError) {
    if let registration = try await usable() { _ = try await unsealed(registration) }
  }

  /// The registration, whose credential may have expired: its management has one of its own.
  func manageable() async throws(SDKError) -> Registration {
    guard let registration = try await current() else {
      throw SDKError(
        .notRegistered, "could not use '\(profile.name)': this installation is not registered",
        subject: profile.name.description)
    }
    return registration
  }
}
