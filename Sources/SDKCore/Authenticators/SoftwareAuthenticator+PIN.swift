import OpenSSL
import POSIX
import Primitives
import UAF

extension SoftwareAuthenticator {
  /// Changes the PIN.
  ///
  /// - Parameters:
  ///   - old: the present PIN; a wrong one counts as an attempt.
  ///   - new: the PIN from now on.
  /// - Throws: ``SDKError/Code/invalidRequest`` if the policy does not allow the new PIN, before the old
  ///   one is tried; ``SDKError/Code/policy`` if the authenticator is locked or cooling down;
  ///   ``SDKError/Code/wrongPIN`` if the old PIN is wrong.
  public func changePIN(from old: [UInt8], to new: [UInt8]) async throws(SDKError) {
    let action = "could not change the PIN of the authenticator \(settings.aaid)"
    let violation = old == new ? .unchanged : settings.pinPolicy.violation(of: new)
    if let violation { throw SDKError(.invalidRequest, "\(action): \(violation)") }
    try await attempt(action) {
      try await locked { () async throws(SDKError) in
        var document = try read()
        let secret = try await unseal(&document, with: old)
        document.pin = .init(sealed: try await sealed(secret, with: new))
        try document.write()
      }
    }
  }

  /// Whether a PIN can be entered now.
  func status(of pin: AuthenticatorDocument.PIN?) -> PINStatus {
    guard let pin else { return .notEnrolled }
    guard pin.failures > 0 else { return .unlocked }
    let remaining = settings.pinPolicy.maximumAttempts - pin.failures
    guard remaining > 0 else { return .lockedOut }
    let whole = settings.pinPolicy.coolDown(after: pin.failures)
    // A clock that was set back must not lock the authenticator for years; the attempts are bounded
    // in any case.
    let passed = pin.failedAt.map { now().seconds(since: $0) } ?? 0
    let coolDown = passed < 0 ? 0 : max(0, whole - passed)
    return .lastAttemptFailed(remainingTries: remaining, coolDown: coolDown)
  }

  /// Tries a PIN: the attempt is on disk before the PIN is tried.
  ///
  /// Runs in the lock. The caller writes the document, which forgets the attempt.
  ///
  /// - Returns: the secret under which the keys are encrypted.
  /// - Throws: ``SDKError/Code/wrongPIN``; ``SDKError/Code/policy`` if no PIN is accepted now.
  func unseal(
    _ document: inout AuthenticatorDocument, with pin: [UInt8]
  ) async throws(SDKError) -> [UInt8] {
    guard var stored = document.pin else {
      throw failure(.userNotEnrolled, "no PIN has been chosen")
    }
    try requireOpen(status(of: stored))
    let before = stored
    stored.failures += 1
    stored.failedAt = now()
    document.pin = stored
    try document.write()
    let secret: [UInt8]?
    do throws(SDKError) {
      secret = try await toItsEnd {
        try Sealing.open(before.sealed, with: pin, purpose: Self.purpose)
      }
    } catch {
      // The PIN was not tried: it is not known to be wrong.
      document.pin = before
      try document.write()
      throw error
    }
    guard let secret else {
      try requireOpen(status(of: stored), exceptCoolDown: true)
      throw SDKError(.wrongPIN, cause: "the PIN is wrong")
    }
    document.pin = .init(sealed: before.sealed)
    return secret
  }

  /// Encrypts the secret under a PIN.
  func sealed(_ secret: [UInt8], with pin: [UInt8]) async throws(SDKError) -> SealedSecret {
    try await toItsEnd { [cost] in
      try Sealing.seal(secret, with: pin, purpose: Self.purpose, cost: cost)
    }
  }

  /// Refuses an operation for which a PIN cannot be entered now.
  func requireOpen(_ status: PINStatus, exceptCoolDown: Bool = false) throws(SDKError) {
    switch status {
    case .lockedOut:
      throw failure(.userLockout, "the authenticator is locked after too many wrong PINs")
    case .lastAttemptFailed(_, let seconds) where seconds > 0 && !exceptCoolDown:
      throw failure(
        .authenticatorAccessDenied,
        "after wrong PINs the authenticator accepts none for another \(seconds) seconds")
    case .lastAttemptFailed, .unlocked, .notEnrolled: break
    }
  }

  /// Computes on a thread of its own, and to its end: a right PIN whose check was given up would
  /// count as a wrong one.
  func toItsEnd<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws(SDKError) -> Value {
    let result = try await attempt(as: .unavailable) {
      try await BackgroundThread.run { Result { try work() } }
    }
    return try attempt { try result.get() }
  }

  private static let purpose = "authenticator PIN"
}
