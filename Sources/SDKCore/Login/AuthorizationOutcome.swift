/// How a person's authorization ended: the three results that the vendors' libraries tell apart.
public enum AuthorizationOutcome: Sendable, Hashable {
  /// The person is logged in, with these tokens.
  case authorized(TokenSet)
  /// The server said no, or what came as its answer did not verify.
  case notAuthorized(SDKError)
  /// The person said no, or the login was given up.
  case cancelled(SDKError)

  /// What an error makes of an authorization; `nil` for one that leaves it open, as a broken
  /// network does.
  public init?(_ error: SDKError) {
    switch error.code {
    case .refused, .untrusted: self = .notAuthorized(error)
    case .denied, .cancelled: self = .cancelled(error)
    default: return nil
    }
  }
}

extension ProfileSession {
  /// Logs a user in by browser, as `sdkctl login` does, and tells how it ended.
  ///
  /// - Parameters:
  ///   - scope: what to ask for; `nil` for the profile's.
  ///   - present: shows the challenge to a person; the browser's answer comes to the loopback
  ///     address by itself, or by ``BrowserChallenge/respond(with:)``.
  /// - Returns: one of the three results.
  /// - Throws: ``SDKError`` when it came to no end: network, TLS, pins, store.
  public func authorize(
    scope: String? = nil, present: @escaping ChallengeHandler
  ) async throws(SDKError) -> AuthorizationOutcome {
    var options = LoginOptions()
    options.scope = scope
    do throws(SDKError) {
      return .authorized(try await login(options, present: present).tokens)
    } catch {
      guard let outcome = AuthorizationOutcome(error) else { throw error }
      return outcome
    }
  }
}
