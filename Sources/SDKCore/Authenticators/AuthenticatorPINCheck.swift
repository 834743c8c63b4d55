import OpenSSL
import Primitives
import UAF

/// Tries PINs: each attempt is on disk before the PIN is tried.
///
/// The PIN opens a random secret, which encrypts the keys: so one trial costs the same for any number
/// of keys, and a changed PIN is one change of the file.
struct PINCheck: Sendable {
  let policy: PINPolicy
  /// What a guess of the PIN costs.
  let cost: ScryptCost
  let now: @Sendable () -> Timestamp

  /// Whether a PIN can be entered now.
  func status(of pin: AuthenticatorDocument.PIN?) -> PINStatus {
    guard let pin else { return .notEnrolled }
    guard pin.failures > 0 else { return .unlocked }
    let remaining = policy.maximumAttempts - pin.failures
    guard remaining > 0 else { return .lockedOut }
    // A clock that was set back must not lock the authenticator for years; the attempts are bounded
    // in any case.
    let passed = pin.failedAt.map { now().seconds(since: $0) } ?? 0
    let coolDown = passed < 0 ? 0 : max(0, policy.coolDown(after: pin.failures) - passed)
    return .lastAttemptFailed(remainingTries: remaining, coolDown: coolDown)
  }

  /// Tries a PIN, in the lock; the caller writes the document, which forgets the attempt.
  ///
  /// - Returns: the secret under which the keys are encrypted.
  /// - Throws: ``SDKError/Code/wrongPIN``; ``SDKError/Code/policy`` if no PIN is accepted now.
  func secret(
    of document: inout AuthenticatorDocument, with pin: [UInt8]
  ) async throws(SDKError) -> [UInt8] {
    guard let stored = document.pin else {
      throw SDKError(UAFError(.userNotEnrolled, "no PIN has been chosen"))
    }
    try requireOpen(status(of: stored))
    document.pin?.failures += 1
    document.pin?.failedAt = now()
    try document.write()
    let secret: [UInt8]?
    do throws(SDKError) {
      // A right PIN whose trial was given up would count as a wrong one.
      secret = try await toItsEnd { () throws(SDKError) in
        try attempt { try Sealing.open(stored.sealed, with: pin, purpose: Self.purpose) }
      }
    } catch {
      // The PIN was not tried: it is not known to be wrong.
      document.pin = stored
      try document.write()
      throw error
    }
    guard let secret else {
      try requireNotLocked(status(of: document.pin))
      throw SDKError(.wrongPIN, cause: "the PIN is wrong")
    }
    document.pin = .init(sealed: stored.sealed)
    return secret
  }

  /// Encrypts the secret under a PIN.
  func sealed(_ secret: [UInt8], with pin: [UInt8]) async throws(SDKError) -> SealedSecret {
    try await toItsEnd { [cost] () throws(SDKError) in
      try attempt { try Sealing.seal(secret, with: pin, purpose: Self.purpose, cost: cost) }
    }
  }

  /// Refuses an operation after too many wrong PINs.
  func requireNotLocked(_ status: PINStatus) throws(SDKError) {
    guard status == .lockedOut else { return }
    throw SDKError(
      UAFError(.userLockout, "the authenticator is locked after too many wrong PINs"))
  }

  /// Refuses an operation while no PIN is accepted.
  func requireOpen(_ status: PINStatus) throws(SDKError) {
    try requireNotLocked(status)
    guard case .lastAttemptFailed(_, let seconds) = status, seconds > 0 else { return }
    throw SDKError(
      UAFError(
        .authenticatorAccessDenied,
        "after wrong PINs the authenticator accepts none for another \(seconds) seconds"))
  }

  private static let purpose = "authenticator PIN"
}
