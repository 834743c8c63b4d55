import OAuth
import Primitives

struct Deregistration: Sendable {
  /// The users whose tokens end: that of the session first.
  let logins: [LoginService]

  private var server: AuthorizationServer { logins[0].server }
  var environment: SessionEnvironment { server.environment }
  private var records: RegistrationRecords { server.records }

  enum Reason: Hashable {
    /// A person wants it to end, at the server too.
    case wanted
    /// The server is gone: it ends here only.
    case serverGone
    /// This client takes its place; `nil` for one that the server will make.
    case replaced(by: String?)

    var isReplacement: Bool { self != .wanted && self != .serverGone }
  }

  /// Ends the registration; see ``RegistrationService/deregister(isLocal:)``.
  ///
  /// One that is replaced stays here until it is, unless the server has deleted it.
  func steps(_ reason: Reason) async throws(SDKError) -> [LogoutStep] {
    try await unseal(reason)
    return try await environment.locked(.registration) { () async throws(SDKError) in
      try await stepsUnderLock(reason)
    }
  }

  /// The same for who holds the lock of the registration, after ``unseal(_:)``.
  func stepsUnderLock(_ reason: Reason) async throws(SDKError) -> [LogoutStep] {
    let (stored, damage) = try await storedRegistration()
    // That of another issuer can be forgotten or replaced from here, and nothing else.
    let registration = reason == .wanted ? try await records.current() : stored
    var steps = try await emptied(reason)
    if let damage {
      let cause = "it is damaged, and was not read (\(damage.message))"
      steps.append(LogoutStep(action: .deleteRegistration, outcome: .skipped(cause)))
      try await eraseRegistration()
      return steps + [LogoutStep(action: .eraseRegistration, outcome: .done)]
    }
    guard stored != nil, let registration else { return steps }
    let ending = try await environment.uninterrupted { () async throws(SDKError) in
      let deletion = await deletion(of: registration, reason)
      return [
        LogoutStep(action: .deleteRegistration, outcome: deletion),
        LogoutStep(
          action: .eraseRegistration, outcome: try await erasure(after: deletion, reason)),
      ]
    }
    return steps + ending
  }

  /// Asks for passcodes and passphrases now, because nobody is asked under a lock.
  ///
  /// Tokens that stay sealed are erased without being revoked.
  func unseal(_ reason: Reason) async throws(SDKError) {
    if reason == .serverGone { return }
    for login in logins {
      let flow = LogoutFlow(tokens: login.tokens)
      for slot in CredentialSlot.allCases { try await flow.unseal(slot) }
    }
    do throws(SDKError) { try await records.unseal() } catch {
      let isClosed = [.notAuthenticated, .identity].contains(error.code)
      guard reason.isReplacement, isClosed || error.isDamage else { throw error }
    }
  }

  func emptied(_ reason: Reason) async throws(SDKError) -> [LogoutStep] {
    var steps: [LogoutStep] = []
    for login in logins {
      for slot in CredentialSlot.allCases { steps += try await emptied(slot, of: login, reason) }
    }
    return steps
  }

  /// Empties a slot; one that is damaged does not keep a registration from being replaced.
  private func emptied(
    _ slot: CredentialSlot, of login: LoginService, _ reason: Reason
  ) async throws(SDKError) -> [LogoutStep] {
    var steps: [LogoutStep]
    do {
      steps = try await login.logOut(slot, isLocal: reason == .serverGone)
    } catch {
      guard reason.isReplacement, error.isDamage else { throw error }
      steps = try await login.logOut(slot, isLocal: true)
    }
    for index in steps.indices { steps[index].slot = steps[index].slot ?? slot }
    return steps
  }

  private func storedRegistration() async throws(SDKError)
    -> (registration: Registration?, damage: SDKError?)
  {
    do {
      return await (try records.file.load(), nil)
    } catch {
      guard error.isDamage else { throw error }
      return (nil, error)
    }
  }

  private func deletion(
    of registration: Registration, _ reason: Reason
  ) async -> LogoutStep.Outcome {
    if reason == .serverGone { return .skippedAsLocal }
    guard registration.source == .dynamic else {
      return .skipped("the client was given, not registered from here")
    }
    guard sameIdentifier(registration.issuer, environment.profile.issuer?.text) else {
      return .skipped("it is of another issuer, '\(registration.issuer)'")
    }
    if reason == .replaced(by: registration.clientID) {
      return .skipped("the same client takes its place")
    }
    do throws(SDKError) {
      let management = try server.management(of: registration)
      do throws(OAuthError) { try await management.delete() } catch {
        // That is what a deletion is for; 401 can mean that only the token is refused.
        guard [404, 410].contains(error.server?.status) else { throw SDKError(error) }
        return .skipped("the server no longer has it")
      }
      return .done
    } catch {
      return .failed(error.during("could not delete the registration"))
    }
  }

  private func erasure(
    after deletion: LogoutStep.Outcome, _ reason: Reason
  ) async throws(SDKError) -> LogoutStep.Outcome {
    if case .failed = deletion { return .skipped("the server may still hold it") }
    if reason.isReplacement, deletion != .done { return .skipped("another one takes its place") }
    try await eraseRegistration()
    return .done
  }

  private func eraseRegistration() async throws(SDKError) {
    try await records.file.remove()
    for login in logins { try await login.server.dpop.remove() }
  }
}
