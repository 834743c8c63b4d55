import OpenSSL
import Primitives
import SDKCore
import UAF

/// A FIDO UAF authenticator in software, with the keys of one profile.
///
/// One operation runs at a time, also across processes: the lock is held from the check of the passcode
/// to the last write, because attempts are counted before they are tried, and two right passcodes at once
/// must not look like a wrong one. Nobody is asked for anything under the lock.
struct SoftwareAuthenticator: Sendable {
  let environment: SessionEnvironment
  let securityTokens: IdentityStore
  /// What the profile says of it.
  let settings: AuthenticatorSettings
  /// What a guess of the passcode costs.
  let cost: ScryptCost

  /// Makes an authenticator; nothing is read yet.
  init(
    _ environment: SessionEnvironment, _ settings: AuthenticatorSettings,
    securityTokens: IdentityStore, cost: ScryptCost = .standard
  ) {
    self.environment = environment
    self.settings = settings
    self.securityTokens = securityTokens
    self.cost = cost
  }

  /// The registered keys, in the order of their registration.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` or ``SDKError/Code/store`` if the file is damaged.
  func keys() throws(SDKError) -> [AuthenticatorKey] { try read().keys }

  /// Whether a passcode can be entered; while another process tries one, that counts as wrong.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` or ``SDKError/Code/store`` if the file is damaged.
  func passcodeStatus() throws(SDKError) -> PasscodeStatus {
    passcodeCheck.status(of: try read().passcode)
  }

  /// Changes the passcode.
  ///
  /// - Parameters:
  ///   - old: the present passcode; a wrong one counts as an attempt.
  ///   - new: the passcode from now on.
  /// - Throws: ``SDKError/Code/invalidRequest`` if the policy does not allow the new passcode, before the old
  ///   one is tried; ``SDKError/Code/policy`` if the authenticator is locked or cooling down;
  ///   ``SDKError/Code/wrongPasscode`` if the old passcode is wrong.
  func changePasscode(from old: [UInt8], to new: [UInt8]) async throws(SDKError) {
    let action = "could not change the passcode of the authenticator \(settings.aaid)"
    try await attempt(action) {
      try passcodeCheck.require(new, insteadOf: old)
      try await locked { () async throws(SDKError) in
        var document = try read()
        try await passcodeCheck.changePasscode(of: &document, from: old, to: new)
      }
    }
  }

  /// Deletes a key that the server does not know or has deleted (status 1481).
  ///
  /// - Parameter keyID: the identifier of the key in base64url.
  /// - Returns: the key; `nil` if there is none.
  /// - Throws: ``SDKError/Code/store`` if the file cannot be written.
  @discardableResult
  func forget(_ keyID: String) async throws(SDKError) -> AuthenticatorKey? {
    try await remove { sameIdentifier($0.keyID, keyID) }.first
  }

  /// Deletes the keys that a server names, and returns them.
  func deregister(
    _ request: UAFDeregistrationRequest, facetID: String
  ) async throws(SDKError) -> [AuthenticatorKey] {
    let appID = request.header.application(of: facetID)
    return try await remove { key in
      sameIdentifier(key.appID, appID)
        && request.targets.contains { $0.names(aaid: key.aaid, keyID: key.keyID) }
    }
  }

  /// Removes keys; with the last one the passcode is forgotten, because it protects nothing any more.
  private func remove(
    where isRemoved: @Sendable (AuthenticatorKey) -> Bool
  ) async throws(SDKError) -> [AuthenticatorKey] {
    try await locked { () throws(SDKError) in
      var document = try read()
      let removed = document.keys.filter(isRemoved)
      document.keys.removeAll(where: isRemoved)
      if document.keys.isEmpty { document.passcode = nil }
      try document.write()
      return removed
    }
  }

  var passcodeCheck: PasscodeCheck {
    PasscodeCheck(
      subject: "the authenticator", policy: settings.passcodePolicy, cost: cost,
      now: environment.clock.now)
  }

  /// The file, as it is now.
  func read() throws(SDKError) -> AuthenticatorDocument {
    let name = settings.aaid.description.asciiLowercased.map { $0 == "#" ? "-" : $0 }
    return try AuthenticatorDocument(
      reading: environment.location.stateFile(
        "profiles/\(environment.profile.name)/authenticators/\(String(name)).json"),
      of: settings.aaid)
  }

  func locked<Value: Sendable>(
    _ body: () async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    try await environment.locked(.authenticators, body)
  }

  /// An error of an operation, with its code in the protocol.
  func failure(_ code: ClientErrorCode, _ cause: String) -> SDKError {
    SDKError(UAFError(code, cause))
  }

  /// Verifies the user, and runs the body in the same lock; asks again after a wrong passcode.
  ///
  /// `mayEnrol`: whether a passcode may be chosen if there is none. The body writes the document.
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

enum VerifiedUser: Sendable {
  /// By the passcode, which opened the secret that the keys are encrypted under.
  case byPasscode([UInt8])
  /// By a security token, which has its own PIN.
  case bySecurityToken
  /// Not at all, as the profile allows.
  case unverified
}

private enum EnteredPasscode: Sendable {
  case new([UInt8])
  case existing([UInt8])
}
