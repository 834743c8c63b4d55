import OpenSSL
import SDKCore
import UAF

/// How a user was verified.
enum VerifiedUser: Sendable {
  /// By the passcode, which opened the secret that the keys are encrypted under.
  case byPasscode([UInt8])
  /// By a security token, which has its own PIN.
  case bySecurityToken
  /// Not at all, as the profile allows.
  case unverified
}

/// A passcode that somebody entered.
private enum EnteredPasscode: Sendable {
  case new([UInt8])
  case existing([UInt8])
}

extension SoftwareAuthenticator {
  /// Verifies the user, and runs the body in the same lock; asks again after a wrong passcode.
  ///
  /// - Parameters:
  ///   - username: the user at the server.
  ///   - mayEnrol: whether a passcode may be chosen if there is none.
  ///   - delegates: who is asked for the passcode, before the lock is taken.
  ///   - body: what the verified user allows; it writes the document.
  /// - Returns: the value of the body.
  /// - Throws: errors of the body, of the delegates and of the store; ``SDKError/Code/policy`` if the
  ///   authenticator is locked or cooling down.
  func verifyingUser<Value: Sendable>(
    _ username: String, mayEnrol: Bool, _ delegates: AuthenticatorDelegates,
    _ body: (VerifiedUser, inout AuthenticatorDocument) async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    guard settings.userVerification == .passcode else {
      return try await locked { () async throws(SDKError) in
        var document = try read()
        return try await body(
          settings.userVerification == .none ? .unverified : .bySecurityToken, &document)
      }
    }
    while true {
      let passcode = try await enteredPasscode(username, mayEnrol: mayEnrol, delegates)
      let value = try await locked { () async throws(SDKError) -> Value? in
        var document = try read()
        guard let secret = try await secret(&document, passcode) else { return nil }
        do throws(SDKError) {
          return try await body(.byPasscode(secret), &document)
        } catch {
          // The passcode was right, whatever failed afterwards.
          var document = try read()
          document.passcode?.failures = 0
          try? document.write()
          throw error
        }
      }
      if let value { return value }
    }
  }

  /// Whether a passcode can be entered, once no process tries one: a passcode that is being tried counts as wrong.
  func settledPasscodeStatus() async throws(SDKError) -> PasscodeStatus {
    try await locked { () async throws(SDKError) in try passcodeStatus() }
  }

  /// The secret that a passcode opens, or a new one under a new passcode; `nil` if the passcode is wrong.
  private func secret(
    _ document: inout AuthenticatorDocument, _ passcode: EnteredPasscode
  ) async throws(SDKError) -> [UInt8]? {
    switch passcode {
    case .new(let passcode) where document.passcode == nil:
      let secret = try attempt { try Random.bytes(32) }
      document.passcode = .init(sealed: try await passcodeCheck.sealed(secret, with: passcode))
      return secret
    // Another process may have been faster: then the new passcode must be that one.
    case .new(let passcode), .existing(let passcode):
      do throws(SDKError) {
        return try await passcodeCheck.secret(of: &document, with: passcode)
      } catch {
        guard error.code == .wrongPasscode else { throw error }
        return nil
      }
    }
  }

  private func enteredPasscode(
    _ username: String, mayEnrol: Bool, _ delegates: AuthenticatorDelegates
  ) async throws(SDKError) -> EnteredPasscode {
    let status = try await settledPasscodeStatus()
    try passcodeCheck.requireNotLocked(status)
    guard let entry = delegates.passcode else {
      throw failure(.userNotEnrolled, "the authenticator needs a passcode, and there is none")
    }
    guard status == .notEnrolled else {
      return .existing(
        try await entry.passcode(
          for: PasscodeVerification(
            owner: owner(username), status: status)))
    }
    guard mayEnrol else { throw failure(.userNotEnrolled, "no passcode has been chosen") }
    return .new(
      try await passcodeCheck.chosen(
        by: entry, for: owner(username)))
  }

  private func owner(_ username: String) -> PasscodeOwner {
    .authenticator(model: settings.aaid.description, username: username)
  }
}
