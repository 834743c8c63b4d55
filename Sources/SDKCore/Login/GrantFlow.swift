import HTTP
import OAuth

/// One login by such a grant.
struct GrantFlow: Sendable {
  private let login: LoginService
  private let server: ServerMetadata
  private let endpoint: TokenEndpoint
  private let grant: LoginGrant
  private let scope: LoginScope
  private let target: TokenTarget

  /// Finds the token endpoint; the grant is not presented yet.
  init(
    _ login: LoginService, _ grant: LoginGrant, _ options: LoginOptions
  ) async throws(SDKError) {
    _ = try login.records.required()
    self.login = login
    self.grant = grant
    server = try await login.server.metadata()
    endpoint = try await login.server.tokenEndpoint(binding: options.bindsTokens)
    scope = login.scope(of: options, at: server)
    target = TokenTarget(
      scope: scope.text, resources: options.parameters.values(of: "resource"),
      audiences: grant.audiences)
  }

  func run() async throws(SDKError) -> LoginResult {
    var response: TokenResponse
    let subject: String?
    do throws(OAuthError) {
      response = try await present()
      if !scope.asksIDToken { try response.dropIDToken() }
      subject = try await login.server.subject(
        of: response, from: server, clientID: endpoint.client.clientID, nonce: nil)
    } catch {
      throw SDKError(cause: error)
    }
    return try await login.keep(response, of: server, for: target, subject: subject)
  }

  private func present() async throws(OAuthError) -> TokenResponse {
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

extension LoginService {
  /// Refuses to take a password, before anyone has typed it, unless the profile allows it.
  ///
  /// - Throws: ``SDKError/Code/policy`` with the setting as its remedy.
  public func requirePasswordGrant() throws(SDKError) {
    guard !profile.allowsPasswordGrant else { return }
    throw SDKError(
      .policy, "could not log in: the profile '\(profile.name)' does not allow passwords",
      subject: profile.name.description,
      remedy: .setProfile(key: "passwordGrant", value: "true"))
  }

  /// Refuses to sign an assertion without a key.
  func requireSigningKey() throws(SDKError) {
    guard try records.required().key == nil else { return }
    throw SDKError(
      .invalidConfiguration,
      "could not log in: the client has no key of its own to sign an assertion with",
      subject: profile.name.description,
      remedy: .register(.init(.replacing, authenticationMethod: "private_key_jwt")))
  }
}
