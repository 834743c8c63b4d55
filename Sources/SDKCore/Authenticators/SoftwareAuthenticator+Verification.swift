import OpenSSL
import UAF

/// How a user was verified.
enum VerifiedUser: Sendable {
  /// By the PIN, which opened the secret that the keys are encrypted under.
  case byPIN([UInt8])
  /// By a security token, which has its own PIN.
  case bySecurityToken
  /// Not at all, as the profile allows.
  case unverified
}

/// A PIN that somebody entered.
private enum EnteredPIN: Sendable {
  case new([UInt8])
  case existing([UInt8])
}

extension SoftwareAuthenticator {
  /// Verifies the user, and runs the body in the same lock; asks again after a wrong PIN.
  ///
  /// - Parameters:
  ///   - username: the user at the server.
  ///   - mayEnrol: whether a PIN may be chosen if there is none.
  ///   - delegates: who is asked for the PIN, before the lock is taken.
  ///   - body: what the verified user allows; it writes the document.
  /// - Returns: the value of the body.
  /// - Throws: errors of the body, of the delegates and of the store; ``SDKError/Code/policy`` if the
  ///   authenticator is locked or cooling down.
  func verifyingUser<Value: Sendable>(
    _ username: String, mayEnrol: Bool, _ delegates: AuthenticatorDelegates,
    _ body: (VerifiedUser, inout AuthenticatorDocument) async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    guard settings.userVerification == .pin else {
      return try await locked { () async throws(SDKError) in
        var document = try read()
        return try await body(
          settings.userVerification == .none ? .unverified : .bySecurityToken, &document)
      }
    }
    while true {
      let pin = try await enteredPIN(username, mayEnrol: mayEnrol, delegates)
      let value = try await locked { () async throws(SDKError) -> Value? in
        var document = try read()
        guard let secret = try await secret(&document, pin) else { return nil }
        do throws(SDKError) {
          return try await body(.byPIN(secret), &document)
        } catch {
          // The PIN was right, whatever failed afterwards.
          var document = try read()
          document.pin?.failures = 0
          try? document.write()
          throw error
        }
      }
      if let value { return value }
    }
  }

  /// Whether a PIN can be entered, once no process tries one: a PIN that is being tried counts as wrong.
  func settledPINStatus() async throws(SDKError) -> PINStatus {
    try await locked { () async throws(SDKError) in try pinStatus() }
  }

  /// The secret that a PIN opens, or a new one under a new PIN; `nil` if the PIN is wrong.
  private func secret(
    _ document: inout AuthenticatorDocument, _ pin: EnteredPIN
  ) async throws(SDKError) -> [UInt8]? {
    switch pin {
    case .new(let pin) where document.pin == nil:
      let secret = try attempt { try Random.bytes(32) }
      document.pin = .init(sealed: try await pinCheck.sealed(secret, with: pin))
      return secret
    // Another process may have been faster: then the new PIN must be that one.
    case .new(let pin), .existing(let pin):
      do throws(SDKError) {
        return try await pinCheck.secret(of: &document, with: pin)
      } catch {
        guard error.code == .wrongPIN else { throw error }
        return nil
      }
    }
  }

  private func enteredPIN(
    _ username: String, mayEnrol: Bool, _ delegates: AuthenticatorDelegates
  ) async throws(SDKError) -> EnteredPIN {
    let status = try await settledPINStatus()
    try pinCheck.requireNotLocked(status)
    guard let entry = delegates.pin else {
      throw failure(.userNotEnrolled, "the authenticator needs a PIN, and there is none")
    }
    guard status == .notEnrolled else {
      return .existing(
        try await entry.pin(
          for: PINVerification(
            owner: .authenticator(settings.aaid, username: username), status: status)))
    }
    guard mayEnrol else { throw failure(.userNotEnrolled, "no PIN has been chosen") }
    return .new(
      try await pinCheck.chosen(
        by: entry, for: .authenticator(settings.aaid, username: username)))
  }
}
