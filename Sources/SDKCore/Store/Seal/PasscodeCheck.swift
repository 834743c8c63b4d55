import JSON
package import OpenSSL
package import Primitives

/// A passcode as a document has it.
package struct EnrolledPasscode: Sendable, Hashable {
  package var sealed: SealedSecret
  /// How many wrong passcodes were entered since the last right one, and when the last one was.
  package var failures = 0
  package var failedAt: Timestamp?

  package init(sealed: SealedSecret, failures: Int = 0, failedAt: Timestamp? = nil) {
    (self.sealed, self.failures, self.failedAt) = (sealed, failures, failedAt)
  }
}

package protocol PasscodeDocument: Sendable {
  var document: StoreDocument { get set }
  var passcode: EnrolledPasscode? { get set }
  /// Has one row for each member, which reads or writes it.
  mutating func exchange(_ fields: StoredFields) throws(SDKError)
}

extension PasscodeDocument {
  /// Writes the file, atomically and durably; members that this version does not know stay.
  package mutating func write() throws(SDKError) {
    let fields = document.writing
    try exchange(fields)
    document.members = fields.members
    try document.write()
  }
}

/// Tries passcodes: each attempt is on disk before the passcode is tried.
///
/// The passcode opens one secret, which encrypts all others: so one trial costs the same for any number
/// of them, and a changed passcode is one change of the file.
package struct PasscodeCheck: Sendable {
  /// What the passcode opens, in errors: `the authenticator`.
  let subject: String
  let policy: PasscodePolicy
  let cost: ScryptCost
  let now: @Sendable () -> Timestamp

  package init(
    subject: String, policy: PasscodePolicy, cost: ScryptCost,
    now: @escaping @Sendable () -> Timestamp
  ) {
    (self.subject, self.policy, self.cost, self.now) = (subject, policy, cost, now)
  }

  package func status(of passcode: EnrolledPasscode?) -> PasscodeStatus {
    guard let passcode else { return .notEnrolled }
    guard passcode.failures > 0 else { return .unlocked }
    let remaining = policy.maximumAttempts - passcode.failures
    guard remaining > 0 else { return .lockedOut }
    // A clock that was set back must not lock the authenticator for years; the attempts are bounded
    // in any case.
    let passed = passcode.failedAt.map { now().seconds(since: $0) } ?? 0
    let coolDown = passed < 0 ? 0 : max(0, policy.coolDown(after: passcode.failures) - passed)
    return .lastAttemptFailed(remainingTries: remaining, coolDown: coolDown)
  }

  /// Tries a passcode, in the lock; the caller writes the document, which forgets the attempt.
  ///
  /// - Returns: the secret.
  /// - Throws: ``SDKError/Code/wrongPasscode``; ``SDKError/Code/policy`` if no passcode is accepted now.
  package func secret(
    of document: inout some PasscodeDocument, with passcode: [UInt8]
  ) async throws(SDKError) -> [UInt8] {
    guard let stored = document.passcode else {
      throw SDKError(.notRegistered, .noPasscode, cause: "no passcode has been chosen")
    }
    try requireOpen(status(of: stored))
    document.passcode?.failures += 1
    document.passcode?.failedAt = now()
    try document.write()
    let secret: [UInt8]?
    do throws(SDKError) {
      // A right passcode whose trial was given up would count as a wrong one.
      secret = try await toItsEnd { () throws(SDKError) in
        try attempt { try Sealing.open(stored.sealed, with: passcode, purpose: Self.purpose) }
      }
    } catch {
      // The passcode was not tried: it is not known to be wrong.
      document.passcode = stored
      try document.write()
      throw error
    }
    guard let secret else {
      try requireNotLocked(status(of: document.passcode))
      throw SDKError(.wrongPasscode, cause: "the passcode is wrong")
    }
    document.passcode = EnrolledPasscode(sealed: stored.sealed)
    return secret
  }

  /// Refuses a passcode that may not be chosen, or that is the old one.
  package func require(_ passcode: [UInt8], insteadOf old: [UInt8]? = nil) throws(SDKError) {
    let violation = old == passcode ? .unchanged : policy.violation(of: passcode)
    if let violation {
      throw SDKError(.invalidRequest, cause: "\(violation)", resource: violation.resource)
    }
  }

  package func chosen(
    by entry: any PasscodeEntry, for owner: PasscodeOwner
  ) async throws(SDKError) -> [UInt8] {
    var violation: PasscodePolicy.Violation?
    for _ in 0..<Self.maximumQuestions {
      let enrolment = PasscodeEnrolment(owner: owner, policy: policy, violation: violation)
      let passcode: [UInt8]
      do throws(SDKError) { passcode = try await entry.newPasscode(for: enrolment) } catch {
        throw error.askingForPasscode
      }
      violation = policy.violation(of: passcode)
      if violation == nil { return passcode }
    }
    throw SDKError(
      .notRegistered, .noPasscode,
      cause: violation.map(\.description) ?? "no passcode has been chosen")
  }

  /// Changes the passcode of a document, in the lock; a wrong old one counts as an attempt.
  package func changePasscode(
    of document: inout some PasscodeDocument, from old: [UInt8], to new: [UInt8]
  ) async throws(SDKError) {
    let secret = try await secret(of: &document, with: old)
    document.passcode = EnrolledPasscode(sealed: try await sealed(secret, with: new))
    try document.write()
  }

  package func sealed(
    _ secret: [UInt8], with passcode: [UInt8]
  ) async throws(SDKError) -> SealedSecret {
    try await toItsEnd { [cost] () throws(SDKError) in
      try attempt { try Sealing.seal(secret, with: passcode, purpose: Self.purpose, cost: cost) }
    }
  }

  package func requireNotLocked(_ status: PasscodeStatus) throws(SDKError) {
    guard status == .lockedOut else { return }
    throw SDKError(
      .policy, .lockedOut,
      cause: "\(subject) is locked after too many wrong passcodes, or trials that were killed")
  }

  package func requireOpen(_ status: PasscodeStatus) throws(SDKError) {
    try requireNotLocked(status)
    guard case .lastAttemptFailed(_, let seconds) = status, seconds > 0 else { return }
    throw SDKError(
      .policy, .coolingDown,
      cause:
        "after wrong passcodes, or trials that were killed, \(subject) accepts none for another "
        + "\(seconds) seconds")
  }

  private static let maximumQuestions = 10
  private static let purpose = "authenticator passcode"
}

extension SDKError {
  /// An error of asking for a passcode: it says what helps, unless that is another passcode.
  var askingForPasscode: SDKError { asksForLogin ? with(remedy: .enterPasscode) : self }
}

extension EnrolledPasscode: StoredValue {
  package init(_ fields: StoredFields, _ value: EnrolledPasscode?) throws(SDKError) {
    sealed = try fields.required("sealed", value?.sealed, .object)
    let failures = value.map { UInt32(clamping: $0.failures) }
    self.failures = Int(try fields.required("failures", failures, .number))
    // A damaged time must not keep a person from what is sealed: the attempts are bounded without it.
    failedAt = (try? fields.optional("failedAt", value?.failedAt, .seconds)) ?? nil
  }
}
