public import UAF

/// Enters the PIN of an authenticator, for a person or a program.
public protocol PINEntry: Sendable {
  /// Returns a new PIN; asked again if the policy does not allow it.
  ///
  /// - Throws: ``SDKError/Code/cancelled`` if nobody chooses one.
  func newPIN(for enrolment: PINEnrolment) async throws(SDKError) -> [UInt8]

  /// Returns the PIN; asked again after a wrong one, until the authenticator is locked.
  ///
  /// What cannot give another PIN than before must throw if ``PINVerification/status`` says that the
  /// last one was wrong. A PIN that comes during the cool-down ends the operation.
  ///
  /// - Throws: ``SDKError/Code/cancelled`` if nobody enters one.
  func pin(for verification: PINVerification) async throws(SDKError) -> [UInt8]
}

/// Why a new PIN is asked for.
public struct PINEnrolment: Sendable, Hashable {
  /// The model of the authenticator.
  public let aaid: AAID
  /// The user at the server.
  public let username: String
  /// Which PINs may be chosen.
  public let policy: PINPolicy
  /// What was wrong with the PIN before; `nil` at first.
  public let violation: PINPolicy.Violation?
}

/// Why a PIN is asked for.
public struct PINVerification: Sendable, Hashable {
  /// The model of the authenticator.
  public let aaid: AAID
  /// The user at the server.
  public let username: String
  /// Whether the last PIN was wrong, and what is left.
  public let status: PINStatus
}

/// Chooses among several registered keys.
public protocol AccountSelection: Sendable {
  /// Chooses one of the keys.
  ///
  /// - Parameters:
  ///   - keys: those that the server accepts, at least two.
  ///   - transaction: what the user will be asked to confirm; `nil` for a login.
  /// - Returns: one of the keys.
  /// - Throws: ``SDKError/Code/cancelled`` if nobody chooses.
  func account(
    among keys: [AuthenticatorKey], transaction: UAFTransaction?
  ) async throws(SDKError) -> AuthenticatorKey
}

/// Chooses among several authenticators for a login, if none is named.
public protocol AuthenticatorSelection: Sendable {
  /// Chooses one of the authenticators.
  ///
  /// - Parameter models: those that have keys, at least two.
  /// - Returns: one of the models.
  /// - Throws: ``SDKError/Code/cancelled`` if nobody chooses.
  func authenticator(among models: [AAID]) async throws(SDKError) -> AAID
}

/// Shows a transaction, and asks whether it is meant.
public protocol TransactionConfirmation: Sendable {
  /// Asks whether the user confirms the transaction.
  ///
  /// - Parameters:
  ///   - transaction: a text, which may have control characters, or the bytes of an image.
  ///   - key: the key that will sign.
  /// - Returns: whether the user does.
  /// - Throws: ``SDKError/Code/cancelled`` if nobody decides.
  func isConfirmed(
    _ transaction: UAFTransaction, with key: AuthenticatorKey
  ) async throws(SDKError) -> Bool
}

/// Who is asked during an operation of an authenticator; what is not given is an error when it is
/// needed.
public struct AuthenticatorDelegates: Sendable {
  /// Enters PINs.
  public var pin: (any PINEntry)?
  /// Chooses among several registered keys.
  public var accounts: (any AccountSelection)?
  /// Chooses among several authenticators.
  public var authenticators: (any AuthenticatorSelection)?
  /// Confirms transactions.
  public var transactions: (any TransactionConfirmation)?

  /// Makes a set of delegates.
  public init(
    pin: (any PINEntry)? = nil, accounts: (any AccountSelection)? = nil,
    authenticators: (any AuthenticatorSelection)? = nil,
    transactions: (any TransactionConfirmation)? = nil
  ) {
    self.pin = pin
    self.accounts = accounts
    self.authenticators = authenticators
    self.transactions = transactions
  }
}
