public import SDKCore
public import UAF

/// Who is asked during an operation of an authenticator; what is not given is an error when it is
/// needed.
///
/// A question that nobody answers is ``SDKError/Code/cancelled``.
public struct AuthenticatorDelegates: Sendable {
  /// Returns one of the registered keys that the server accepts, at least two; the transaction is what the
  /// user will be asked to confirm, `nil` for a login.
  public typealias AccountSelection =
    @Sendable (
      _ keys: [AuthenticatorKey], _ transaction: UAFTransaction?
    ) async throws(SDKError) -> AuthenticatorKey

  /// Returns one of the models that have keys, at least two, for a login that names none.
  public typealias AuthenticatorSelection =
    @Sendable (_ models: [AAID]) async throws(SDKError) ->
    AAID

  /// Shows a transaction, a text that may have control characters or the bytes of an image, and returns
  /// whether the user confirms that the key signs it.
  public typealias TransactionConfirmation =
    @Sendable (
      _ transaction: UAFTransaction, _ key: AuthenticatorKey
    ) async throws(SDKError) -> Bool

  /// Enters passcodes.
  public var passcode: (any PasscodeEntry)?
  /// Chooses among several registered keys.
  public var account: AccountSelection?
  /// Chooses among several authenticators.
  public var authenticator: AuthenticatorSelection?
  /// Confirms transactions.
  public var confirmation: TransactionConfirmation?

  /// Makes a set of delegates.
  public init(
    passcode: (any PasscodeEntry)? = nil, account: AccountSelection? = nil,
    authenticator: AuthenticatorSelection? = nil, confirmation: TransactionConfirmation? = nil
  ) {
    self.passcode = passcode
    self.account = account
    self.authenticator = authenticator
    self.confirmation = confirmation
  }
}
