import Primitives
import Synchronization

/// What a passcode opens.
public enum PasscodeOwner: Sendable, Hashable {
  /// The keys of an authenticator that a module adds: its model, and the user at the server.
  case authenticator(model: String, username: String)
  /// The sealed tokens of a profile.
  case profile(ProfileName)
  /// The sealed tokens of a user of a profile who has an ID.
  case user(UserID, of: ProfileName)
}

/// Enters a passcode, for a person or a program.
public protocol PasscodeEntry: Sendable {
  /// Returns a new passcode; asked again if the policy does not allow it.
  ///
  /// - Throws: ``SDKError/Code/cancelled`` if nobody chooses one.
  func newPasscode(for enrolment: PasscodeEnrolment) async throws(SDKError) -> [UInt8]

  /// Returns the passcode; asked again after a wrong one, until there are too many.
  ///
  /// What cannot give another passcode than before must throw if ``PasscodeVerification/status`` says that the
  /// last one was wrong. A passcode that comes during the cool-down ends the operation.
  ///
  /// - Throws: ``SDKError/Code/cancelled`` if nobody enters one.
  func passcode(for verification: PasscodeVerification) async throws(SDKError) -> [UInt8]
}

/// Why a new passcode is asked for.
public struct PasscodeEnrolment: Sendable, Hashable {
  /// What the passcode opens.
  public let owner: PasscodeOwner
  /// Which passcodes may be chosen.
  public let policy: PasscodePolicy
  /// What was wrong with the passcode before; `nil` at first.
  public let violation: PasscodePolicy.Violation?
}

/// Why a passcode is asked for.
public struct PasscodeVerification: Sendable, Hashable {
  /// What the passcode opens.
  public let owner: PasscodeOwner
  /// Whether the last passcode was wrong, and what is left.
  public let status: PasscodeStatus

  package init(owner: PasscodeOwner, status: PasscodeStatus) {
    (self.owner, self.status) = (owner, status)
  }
}

/// Whether a passcode can be entered.
public enum PasscodeStatus: Sendable, Hashable {
  /// No passcode has been chosen yet.
  case notEnrolled
  /// The last passcode was right.
  case unlocked
  /// The last passcode was wrong: how many more may be tried, and the seconds until the next one is accepted.
  case lastAttemptFailed(remainingTries: Int, coolDown: Int64)
  /// Too many wrong passcodes were entered.
  case lockedOut
}

/// A passcode that a program knows: it is tried once.
public final class KnownPasscode: PasscodeEntry {
  private let passcode: [UInt8]
  private let isUsed = Mutex(false)

  /// Takes the passcode, as UTF-8.
  public init(_ passcode: [UInt8]) { self.passcode = passcode }

  /// The passcode; refused if the policy does not allow it.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest``.
  public func newPasscode(for enrolment: PasscodeEnrolment) async throws(SDKError) -> [UInt8] {
    if let violation = enrolment.violation {
      throw SDKError(.invalidRequest, cause: "\(violation)", resource: violation.resource)
    }
    return passcode
  }

  /// The passcode, unless it was wrong.
  ///
  /// - Throws: ``SDKError/Code/wrongPasscode`` after the first time.
  public func passcode(for verification: PasscodeVerification) async throws(SDKError) -> [UInt8] {
    let wasUsed = isUsed.withLock { isUsed in
      defer { isUsed = true }
      return isUsed
    }
    guard !wasUsed else { throw SDKError(.wrongPasscode, cause: "the passcode is wrong") }
    return passcode
  }
}

/// The passcode of a file or of a stream, which is not tried again after a wrong one: that would use up the attempts.
public final class FilePasscode: PasscodeEntry {
  private let name: String
  private let remedy: Remedy
  private let read: @Sendable () async throws(SDKError) -> [UInt8]
  private let tried = Mutex<Set<PasscodeOwner>>([])

  /// Names a file; nothing is read yet.
  public convenience init(
    _ path: String, namedBy source: String, afterWrong remedy: Remedy = .typePasscode
  ) {
    self.init(named: path, afterWrong: remedy) { () async throws(SDKError) in
      Array(try await SecretFile.line(of: path, "passcode (\(source))").utf8)
    }
  }

  /// Takes what reads the passcode when it is asked for; `name` is that of the stream, in errors.
  public init(
    named name: String, afterWrong remedy: Remedy = .typePasscode,
    read: @escaping @Sendable () async throws(SDKError) -> [UInt8]
  ) {
    (self.name, self.remedy, self.read) = (name, remedy, read)
  }

  /// The passcode; refused if the policy does not allow it.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest``; errors of reading it.
  public func newPasscode(for enrolment: PasscodeEnrolment) async throws(SDKError) -> [UInt8] {
    if let violation = enrolment.violation {
      throw SDKError(
        .invalidRequest, cause: "\(violation) (\(name))", resource: violation.resource)
    }
    return try await read()
  }

  /// The passcode, unless the last passcode was wrong.
  ///
  /// - Throws: ``SDKError/Code/wrongPasscode`` if it was; errors of reading it.
  public func passcode(for verification: PasscodeVerification) async throws(SDKError) -> [UInt8] {
    if case .lastAttemptFailed = verification.status {
      let wasTried = tried.withLock { $0.contains(verification.owner) }
      throw SDKError(
        .wrongPasscode,
        cause: wasTried
          ? "the last passcode was wrong, and that of \(name) is not tried again"
          : "the last passcode was wrong, so that of \(name) is not tried", remedy: remedy)
    }
    let passcode = try await read()
    tried.withLock { _ = $0.insert(verification.owner) }
    return passcode
  }
}
