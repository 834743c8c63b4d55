import OAuth

/// The end of a registration, here and at the server.
struct Deregistration: SessionService {
  let server: AuthorizationServer
  let login: LoginService

  var environment: SessionEnvironment { server.environment }
  private var records: RegistrationRecords { server.records }

  /// Ends the registration; see ``RegistrationService/deregister(isLocal:)``.
  func run(isLocal: Bool) async throws(SDKError) -> [LogoutStep] {
    try await environment.locked(.registration) { () throws(SDKError) in
      let (stored, damage) = try storedRegistration(isLocal: isLocal)
      // That of another issuer can be forgotten from here, and nothing else.
      let registration = isLocal ? stored : try records.current()
      var steps: [LogoutStep] = []
      for slot in CredentialSlot.allCases {
        for var step in try await login.logOut(slot, isLocal: isLocal) {
          step.slot = step.slot ?? slot
          steps.append(step)
        }
      }
      if let damage {
        let reason = "it is damaged, and was not read (\(damage.message))"
        steps.append(LogoutStep(action: .deleteRegistration, outcome: .skipped(reason)))
        try await eraseRegistration()
        return steps + [LogoutStep(action: .eraseRegistration, outcome: .done)]
      }
      guard stored != nil, let registration else { return steps }
      let ending = try await environment.uninterrupted { () async throws(SDKError) in
        let deletion = await deletion(of: registration, isLocal: isLocal)
        let erasure = try await erasure(after: deletion)
        return [
          LogoutStep(action: .deleteRegistration, outcome: deletion),
          LogoutStep(action: .eraseRegistration, outcome: erasure),
        ]
      }
      return steps + ending
    }
  }

  /// What is stored; where nothing is asked of the server, one that is damaged can be erased.
  private func storedRegistration(
    isLocal: Bool
  ) throws(SDKError) -> (registration: Registration?, damage: SDKError?) {
    do {
      return (try records.file.load(), nil)
    } catch {
      guard isLocal, error.isDamage else { throw error }
      return (nil, error)
    }
  }

  private func deletion(
    of registration: Registration, isLocal: Bool
  ) async -> LogoutStep.Outcome {
    if isLocal { return .skipped("--local was given") }
    guard registration.source == .dynamic else {
      return .skipped("the client was given, not registered from here")
    }
    do {
      let management = try server.management(of: registration)
      try await exchanging { () throws(OAuthError) in try await management.delete() }
      return .done
    } catch {
      return .failed(error.during("could not delete the registration"))
    }
  }

  private func erasure(
    after deletion: LogoutStep.Outcome
  ) async throws(SDKError) -> LogoutStep.Outcome {
    if case .failed = deletion { return .skipped("the server may still hold it") }
    try await eraseRegistration()
    return .done
  }

  private func eraseRegistration() async throws(SDKError) {
    try records.file.remove()
    try await server.dpop.remove()
  }
}
