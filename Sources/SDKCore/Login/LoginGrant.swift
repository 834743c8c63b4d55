import HTTP
package import OAuth

/// What a login presents that needs no browser.
package enum LoginGrant: Sendable {
  /// A person's name and password (RFC 6749 section 4.3).
  case password(username: String, password: String)
  /// What somebody signed about a person (RFC 7523 section 2.1).
  case assertion(String)
  /// The same, signed by this client, about the person of that name.
  case ownAssertion(subject: String)
  /// A token of another server (RFC 8693), and names of whom the new one is for.
  case exchange(SubjectToken, audiences: [String])
}

/// One login by such a grant.
struct GrantFlow: Sendable {
  private let session: ProfileSession
  private let server: ServerMetadata
  private let endpoint: TokenEndpoint
  private let grant: LoginGrant
  private let scope: LoginScope
  private let target: TokenTarget

  /// Finds the token endpoint; the grant is not presented yet.
  init(
    _ session: ProfileSession, _ grant: LoginGrant, _ options: LoginOptions
  ) async throws(SDKError) {
    _ = try session.requiredRegistration()
    self.session = session
    self.grant = grant
    server = try await session.metadata()
    endpoint = try await session.tokenEndpoint(CodeFlow.action, binding: options.bindsTokens)
    scope = session.scope(of: options, at: server)
    target = TokenTarget(
      scope: scope.text, resources: options.parameters.values(of: "resource"),
      audiences: grant.audiences)
  }

  func run() async throws(SDKError) -> LoginResult {
    var response: TokenResponse
    let subject: String?
    do throws(OAuthError) {
      response = try await answer()
      if !scope.asksIDToken { try response.dropIDToken() }
      subject = try await session.subject(
        of: response, from: server, clientID: endpoint.client.clientID, nonce: nil)
    } catch {
      throw SDKError(error, CodeFlow.action)
    }
    return try await session.keep(response, for: target, subject: subject)
  }

  private func answer() async throws(OAuthError) -> TokenResponse {
    switch grant {
    case .password(let username, let password):
      try await endpoint.password(of: username, password, for: target)
    case .assertion(let text): try await endpoint.assertion(text, for: target)
    case .ownAssertion(let subject): try await ownAssertion(about: subject)
    case .exchange(let token, _): try await endpoint.exchange(token, for: target)
    }
  }

  /// Names the issuer as audience, as the successor of RFC 7523 asks; servers that know only
  /// their token endpoint refuse that, and get another one.
  private func ownAssertion(about subject: String) async throws(OAuthError) -> TokenResponse {
    let client = endpoint.client
    do {
      let assertion = try client.assertion(about: subject, to: server.issuer.text)
      return try await endpoint.assertion(assertion, for: target)
    } catch {
      guard error.invalidatesGrant else { throw error }
      let assertion = try client.assertion(about: subject, to: endpoint.url.description)
      return try await endpoint.assertion(assertion, for: target)
    }
  }
}

extension LoginGrant {
  fileprivate var audiences: [String] {
    if case .exchange(_, let audiences) = self { audiences } else { [] }
  }
}
