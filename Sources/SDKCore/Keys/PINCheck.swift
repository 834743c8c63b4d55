import JSON
import OpenSSL
import Primitives
import UAF

/// A PIN as a document has it.
struct EnrolledPIN: Sendable, Hashable {
  /// The secret that the PIN opens.
  var sealed: SealedSecret
  /// How many wrong PINs were entered since the last right one, and when the last one was.
  var failures = 0
  var failedAt: Timestamp?
}

/// A document with a PIN.
protocol PINDocument: Sendable {
  var pin: EnrolledPIN? { get set }
  mutating func write() throws(SDKError)
}

/// Tries PINs: each attempt is on disk before the PIN is tried.
///
/// The PIN opens one secret, which encrypts all others: so one trial costs the same for any number
/// of them, and a changed PIN is one change of the file.
struct PINCheck: Sendable {
  /// What the PIN opens, in errors: `the authenticator`.
  let subject: String
  let policy: PINPolicy
  /// What a guess of the PIN costs.
  let cost: ScryptCost
  let now: @Sendable () -> Timestamp

  /// Whether a PIN can be entered now.
  func status(of pin: EnrolledPIN?) -> PINStatus {
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
  /// - Returns: the secret.
  /// - Throws: ``SDKError/Code/wrongPIN``; ``SDKError/Code/policy`` if no PIN is accepted now.
  func secret(
    of document: inout some PINDocument, with pin: [UInt8]
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
    document.pin = EnrolledPIN(sealed: stored.sealed)
    return secret
  }

  /// Refuses a PIN that may not be chosen, or that is the old one.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest``, without an action.
  func require(_ pin: [UInt8], insteadOf old: [UInt8]? = nil) throws(SDKError) {
    let violation = old == pin ? .unchanged : policy.violation(of: pin)
    if let violation {
      throw SDKError(.invalidRequest, cause: "\(violation)", resource: violation.resource)
    }
  }

  /// A new PIN that the policy allows.
  ///
  /// - Throws: errors of the entry; ``SDKError`` if nobody chooses such a PIN.
  func chosen(by entry: any PINEntry, for owner: PINOwner) async throws(SDKError) -> [UInt8] {
    var violation: PINPolicy.Violation?
    for _ in 0..<Self.maximumQuestions {
      let pin = try await entry.newPIN(
        for: PINEnrolment(owner: owner, policy: policy, violation: violation))
      violation = policy.violation(of: pin)
      if violation == nil { return pin }
    }
    throw SDKError(
      UAFError(.userNotEnrolled, violation.map(\.description) ?? "no PIN has been chosen"))
  }

  /// Changes the PIN of a document, in the lock; a wrong old one counts as an attempt.
  ///
  /// - Throws: as ``secret(of:with:)``; errors of the store.
  func changePIN(
    of document: inout some PINDocument, from old: [UInt8], to new: [UInt8]
  ) async throws(SDKError) {
    let secret = try await secret(of: &document, with: old)
    document.pin = EnrolledPIN(sealed: try await sealed(secret, with: new))
    try document.write()
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
      UAFError(
        .userLockout, "\(subject) is locked after too many wrong PINs, or trials that were killed"))
  }

  /// Refuses an operation while no PIN is accepted.
  func requireOpen(_ status: PINStatus) throws(SDKError) {
    try requireNotLocked(status)
    guard case .lastAttemptFailed(_, let seconds) = status, seconds > 0 else { return }
    throw SDKError(
      UAFError(
        .authenticatorAccessDenied,
        "after wrong PINs, or trials that were killed, \(subject) accepts none for another "
          + "\(seconds) seconds"))
  }

  /// How often a PIN is asked for that the policy allows.
  private static let maximumQuestions = 10
  private static let purpose = "authenticator PIN"
}

extension EnrolledPIN {
  init?(stored value: JSON) {
    guard let sealed = value["sealed"].flatMap(SealedSecret.init(stored:)),
      let failures = value["failures"]?.int.flatMap({ Int(exactly: $0) }), failures >= 0
    else { return nil }
    self.init(sealed: sealed, failures: failures, failedAt: value["failedAt"]?.time)
  }

  var stored: JSON {
    .members([
      "sealed": .object(sealed.stored), "failures": .int(Int64(failures)),
      "failedAt": failedAt.map { .time($0) },
    ])
  }
}
