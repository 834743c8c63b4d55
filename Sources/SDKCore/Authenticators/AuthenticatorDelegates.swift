public import UAF

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
