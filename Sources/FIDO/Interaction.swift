import Primitives
public import SDKCore
import Synchronization
public import UAF

/// The questions of one operation to a person: each has a time limit and is asked once.
///
/// A passcode that was entered ahead is not asked for under a lock: if it is wrong, the operation ends, and
/// ``isPasscodeWrong(of:)`` says why.
final class Interaction: PasscodeEntry {
  private struct EnteredPasscode {
    let passcode: [UInt8]
    var isGiven = false
    var isWrong = false
  }

  private struct State {
    /// Those that were entered ahead; each authenticator has its own.
    var passcodes: [AAID: EnteredPasscode] = [:]
    var key: AuthenticatorKey?
    var confirmed: (transaction: UAFTransaction, keyID: String)?
    var prepared: PreparedLogin?
  }

  private let delegates: AuthenticatorDelegates
  private let limit: Duration
  private let state = Mutex(State())

  init(_ delegates: AuthenticatorDelegates, within limit: Duration) {
    self.delegates = delegates
    self.limit = limit
  }

  /// The same questions for an authenticator.
  var bounded: AuthenticatorDelegates {
    AuthenticatorDelegates(
      passcode: delegates.passcode == nil ? nil : self, account: account,
      confirmation: delegates.confirmation == nil ? nil : isConfirmed)
  }

  /// The answers that were given before: nobody is asked while a lock is held.
  var unattended: AuthenticatorDelegates {
    AuthenticatorDelegates(
      passcode: bounded.passcode,
      account: { [self] (keys, _) throws(SDKError) in
        guard let key = knownKey(among: keys) else { throw Self.unanswered }
        return key
      },
      confirmation: { [self] (transaction, key) throws(SDKError) in
        guard wasConfirmed(transaction, with: key) else { throw Self.unanswered }
        return true
      })
  }

  /// The login that waits for its lock.
  var prepared: PreparedLogin? {
    get { state.withLock { $0.prepared } }
    set { state.withLock { $0.prepared = newValue } }
  }

  func takePrepared() -> PreparedLogin? { state.withLock { $0.prepared.take() } }

  /// Whether the passcode that was entered ahead for an authenticator was wrong.
  func isPasscodeWrong(of authenticator: SoftwareAuthenticator) -> Bool {
    state.withLock { $0.passcodes[authenticator.settings.aaid]?.isWrong ?? false }
  }

  /// Asks for the passcode of an authenticator, before a lock is taken.
  func enterPasscode(
    of authenticator: SoftwareAuthenticator, for username: String
  ) async throws(SDKError) {
    let aaid = authenticator.settings.aaid
    guard authenticator.settings.userVerification == .passcode,
      state.withLock({ $0.passcodes[aaid]?.isWrong ?? true })
    else { return }
    let status = try await authenticator.settledPasscodeStatus()
    guard status != .notEnrolled else {
      throw authenticator.failure(
        .userNotEnrolled,
        "the authenticator has no passcode, which only fido.noVerification allows")
    }
    try authenticator.passcodeCheck.requireOpen(status)
    guard let entry = delegates.passcode else {
      throw SDKError(
        .notAuthenticated, cause: "the authenticator needs its passcode, and nobody can be asked",
        resource: .userNotAuthenticated, remedy: .login(.init(by: .fido)))
    }
    let verification = PasscodeVerification(
      owner: .authenticator(model: aaid.description, username: username), status: status)
    let passcode = try await answered { () async throws(SDKError) in
      try await entry.passcode(for: verification)
    }
    state.withLock { $0.passcodes[aaid] = EnteredPasscode(passcode: passcode) }
  }

  func newPasscode(for enrolment: PasscodeEnrolment) async throws(SDKError) -> [UInt8] {
    guard let entry = delegates.passcode else { throw Self.nobody }
    return try await answered { () async throws(SDKError) in
      try await entry.newPasscode(for: enrolment)
    }
  }

  func passcode(for verification: PasscodeVerification) async throws(SDKError) -> [UInt8] {
    guard let entry = delegates.passcode else { throw Self.nobody }
    guard let entered = entered(for: verification) else {
      return try await answered { () async throws(SDKError) in
        try await entry.passcode(for: verification)
      }
    }
    guard !entered.isWrong else { throw SDKError(.wrongPasscode, cause: "the passcode is wrong") }
    return entered.passcode
  }

  /// The passcode that was entered ahead for an authenticator, which asks for it now.
  private func entered(for verification: PasscodeVerification) -> EnteredPasscode? {
    guard case .authenticator(let model, _) = verification.owner, let aaid = AAID(model) else {
      return nil
    }
    return state.withLock { state in
      guard var entered = state.passcodes[aaid] else { return nil }
      // An authenticator asks again at once only after a wrong passcode.
      entered.isWrong = entered.isGiven && verification.status != .unlocked
      entered.isGiven = true
      state.passcodes[aaid] = entered
      return entered
    }
  }

  /// The model to use: the named one, else the choice of a person if several have keys; `nil` for that
  /// of the profile.
  func model(_ named: AAID?, among stored: [StoredAuthenticator]) async throws(SDKError) -> AAID? {
    let models = stored.compactMap { $0.keys.first?.aaid }
    guard named == nil, models.count > 1, let select = delegates.authenticator else {
      return named
    }
    let chosen = try await answered { () async throws(SDKError) in
      try await select(models)
    }
    guard models.contains(chosen) else {
      throw SDKError(.invalidRequest, cause: "the authenticator \(chosen) has no key")
    }
    return chosen
  }

  func account(
    among keys: [AuthenticatorKey], _ transaction: UAFTransaction?
  ) async throws(SDKError) -> AuthenticatorKey {
    if let key = knownKey(among: keys) { return key }
    guard let select = delegates.account else { throw Self.nobody }
    let key = try await answered { () async throws(SDKError) in
      try await select(keys, transaction)
    }
    state.withLock { $0.key = key }
    return key
  }

  /// The key that was chosen before, whatever it has signed since; without a choice, that which was registered last.
  private func knownKey(among keys: [AuthenticatorKey]) -> AuthenticatorKey? {
    let known = state.withLock { $0.key?.keyID }
    if let key = keys.first(where: { sameIdentifier($0.keyID, known) }) { return key }
    // A key that was registered anew takes the place of the former one: the later of one second too.
    return delegates.account == nil ? keys.reversed().max { $0.createdAt < $1.createdAt } : nil
  }

  func isConfirmed(
    _ transaction: UAFTransaction, with key: AuthenticatorKey
  ) async throws(SDKError) -> Bool {
    if wasConfirmed(transaction, with: key) { return true }
    guard let confirm = delegates.confirmation else { throw Self.nobody }
    let isConfirmed = try await answered { () async throws(SDKError) in
      try await confirm(transaction, key)
    }
    if isConfirmed { state.withLock { $0.confirmed = (transaction, key.keyID) } }
    return isConfirmed
  }

  private func wasConfirmed(_ transaction: UAFTransaction, with key: AuthenticatorKey) -> Bool {
    state.withLock { state in
      state.confirmed?.transaction == transaction
        && sameIdentifier(state.confirmed?.keyID, key.keyID)
    }
  }

  /// Begins another login: the same transaction has to be confirmed again.
  func forgetConfirmation() { state.withLock { $0.confirmed = nil } }

  /// The answer of a person, who has a time for it.
  private func answered<Value: Sendable>(
    _ ask: @escaping @Sendable () async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    let limit = limit
    let first = await withTaskGroup(of: Result<Value, SDKError>?.self) { group in
      group.addTask {
        do throws(SDKError) { return .success(try await ask()) } catch {
          return .failure(error.asksForLogin ? error.with(remedy: .login(.init(by: .fido))) : error)
        }
      }
      group.addTask {
        try? await Task.sleep(for: limit)
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
    if let first { return try first.get() }
    if Task.isCancelled { throw SDKError(.cancelled, cause: "cancelled") }
    throw SDKError(
      UAFError(.userNotResponsive, "nobody answered within \(limit.components.seconds) seconds"))
  }

  private static var nobody: SDKError {
    SDKError(UAFError(.userNotEnrolled, "nobody can be asked"))
  }

  private static var unanswered: SDKError {
    SDKError(
      .notAuthenticated, cause: "the server asks for an answer that only a person can give",
      resource: .userNotAuthenticated, remedy: .login(.init(by: .fido)))
  }
}

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
