import OAuth

extension ProfileSession {
  /// Revokes the tokens of a slot (RFC 7009) and erases them, whatever the server says.
  ///
  /// The refresh token goes first: with it a server ends the whole grant.
  ///
  /// - Parameters:
  ///   - slot: the slot to empty.
  ///   - isLocal: erase only, when the server is gone for good.
  /// - Returns: each step with its outcome; none when the slot was empty.
  /// - Throws: ``SDKError`` when the store cannot be read or erased.
  package func logout(
    _ slot: CredentialSlot, isLocal: Bool
  ) async throws(SDKError) -> [LogoutStep] {
    // An implicit token is nobody's when its user is gone.
    var others = slot == .user ? try await logout(.implicit, isLocal: isLocal) : []
    for index in others.indices { others[index].slot = .implicit }
    guard let tokens = try credentials(slot).load() else { return others }
    let erased = try await locked(slot.rawValue) { () throws(SDKError) in
      let current = try credentials(slot).load() ?? tokens
      try credentials(slot).remove()
      return current
    }
    let erasing = LogoutStep(action: .erase, outcome: .done)
    let values = erased.revocable
    if isLocal {
      return others
        + values.map { LogoutStep(action: $0.0, outcome: .skipped("--local was given")) }
        + [erasing]
    }
    return others + (await revoked(values)) + [erasing]
  }

  private func revoked(_ values: [Revocable]) async -> [LogoutStep] {
    let revocation: Revocation?
    do {
      revocation = try await self.revocation()
    } catch {
      return values.map { LogoutStep(action: $0.0, outcome: .failed(error)) }
    }
    var steps: [LogoutStep] = []
    for (action, value, hint) in values {
      guard let revocation else {
        let reason = SDKError(
          .unsupported, "could not \(action.words): the server offers no revocation")
        steps.append(LogoutStep(action: action, outcome: .failed(reason)))
        continue
      }
      do {
        try await revocation.revoke(value, hint: hint)
        steps.append(LogoutStep(action: action, outcome: .done))
      } catch {
        let reason = SDKError(error, "could not \(action.words)")
        steps.append(LogoutStep(action: action, outcome: .failed(reason)))
      }
    }
    return steps
  }

  private func revocation() async throws(SDKError) -> Revocation? {
    let registration = try requiredRegistration()
    let metadata = try await metadata()
    let client = try registration.client(
      at: metadata, of: profile, now: now(), "could not revoke a token")
    do {
      guard let endpoint = try metadata.url(of: .revocation) else { return nil }
      return Revocation(endpoint, client: client, over: exchange())
    } catch {
      throw SDKError(error, "could not find the revocation endpoint")
    }
  }
}

/// A step, the token that it revokes, and what that is.
private typealias Revocable = (LogoutStep.Action, String, Revocation.Hint)

extension TokenSet {
  /// What a server can revoke of it, in the order of the steps.
  fileprivate var revocable: [Revocable] {
    var values: [Revocable] = [(.revokeAccessToken, accessToken, .access)]
    if let refreshToken { values.insert((.revokeRefreshToken, refreshToken, .refresh), at: 0) }
    return values
  }
}
