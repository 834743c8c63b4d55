public import UAF

/// What a PIN opens.
public enum PINOwner: Sendable, Hashable {
  /// A FIDO key: the model of the authenticator, and the user at the server.
  case authenticator(AAID, username: String)
  /// The sealed tokens of a profile.
  case profile(ProfileName)
  /// The sealed tokens of a user of a profile who has an ID.
  case user(UserID, of: ProfileName)
}

/// Enters a PIN, for a person or a program.
public protocol PINEntry: Sendable {
  /// Returns a new PIN; asked again if the policy does not allow it.
  ///
  /// - Throws: ``SDKError/Code/cancelled`` if nobody chooses one.
  func newPIN(for enrolment: PINEnrolment) async throws(SDKError) -> [UInt8]

  /// Returns the PIN; asked again after a wrong one, until there are too many.
  ///
  /// What cannot give another PIN than before must throw if ``PINVerification/status`` says that the
  /// last one was wrong. A PIN that comes during the cool-down ends the operation.
  ///
  /// - Throws: ``SDKError/Code/cancelled`` if nobody enters one.
  func pin(for verification: PINVerification) async throws(SDKError) -> [UInt8]
}

/// Why a new PIN is asked for.
public struct PINEnrolment: Sendable, Hashable {
  /// What the PIN opens.
  public let owner: PINOwner
  /// Which PINs may be chosen.
  public let policy: PINPolicy
  /// What was wrong with the PIN before; `nil` at first.
  public let violation: PINPolicy.Violation?
}

/// Why a PIN is asked for.
public struct PINVerification: Sendable, Hashable {
  /// What the PIN opens.
  public let owner: PINOwner
  /// Whether the last PIN was wrong, and what is left.
  public let status: PINStatus
}
