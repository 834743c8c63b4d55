import JOSE
import JSON
import OAuth
import POSIX
import Primitives

/// One login with tokens that another program obtained.
///
/// The server must accept them from this client: a refresh token by one refresh, otherwise an access token
/// at the userinfo endpoint.
struct TakeOver: Sendable {
  private let login: LoginService
  private let server: ServerMetadata
  private let clientID: String
  private let bindsTokens: Bool?

  init(_ login: LoginService, _ options: LoginOptions) async throws(SDKError) {
    self.login = login
    clientID = try await login.records.required().clientID
    server = try await login.server.metadata(offering: .token)
    // The refresh may replace the token: nothing after it may fail for want of pins.
    try login.requirePins(for: [.token, .keys], at: server)
    bindsTokens = options.bindsTokens
  }

  func result(
    of given: ExistingTokens, for resources: [String]
  ) async throws(SDKError) -> LoginResult {
    var tokens = given.tokenSet(at: login.environment.now())
    tokens.resources = resources
    tokens.endpoints = SecretEndpoints(of: server, for: login.profile)
    try requireOwn(given.accessToken)
    let subject = try await subject(of: given)
    if let idToken = tokens.idToken {
      tokens.idToken = try await attempt { try await login.server.decrypted(idToken) }
    }
    guard let refreshToken = given.refreshToken else {
      let claims = try await login.tokens.claims(of: tokens)
      return try await login.storeLogin(tokens, subject: claims.claims["sub"]?.string ?? subject)
    }
    return try await refreshed(tokens, with: refreshToken, of: subject)
  }

  /// Refreshes once, and stores what comes of it before anything can interrupt that: the server may have
  /// replaced the refresh token.
  private func refreshed(
    _ given: TokenSet, with refreshToken: String, of subject: String?
  ) async throws(SDKError) -> LoginResult {
    let endpoint = try await login.server.tokenEndpoint(
      binding: bindsTokens, presenting: given.endpoints)
    let space = try await login.tokens.slots.file(.user).proveWritable()
    return try await login.environment.uninterrupted { () async throws(SDKError) in
      let response = try await attempt {
        try await endpoint.refresh(refreshToken, resources: given.resources)
      }
      try await login.server.requireSameUser(response, as: given.idToken)
      let renewed = try await attempt {
        try await login.server.subject(
          of: response, from: server, clientID: clientID, nonce: nil)
      }
      var tokens = TokenSet(response, replacing: given, at: login.environment.now())
      tokens.idToken = await login.server.decrypted(response).idToken ?? given.idToken
      space?.discard()
      return try await login.storeLogin(tokens, subject: renewed ?? subject)
    }
  }

  /// The subject of the given ID token, checked as of when it was issued, because it may have expired since.
  private func subject(of given: ExistingTokens) async throws(SDKError) -> String? {
    guard let idToken = given.idToken else { return nil }
    return try await attempt {
      let opened = try await login.server.decrypted(idToken)
      let issued = (try? JWT(opened))?.body.issuedAt
      return try await login.server.subject(
        ofIDToken: idToken, and: given.accessToken, from: server, clientID: clientID,
        at: issued.map { min($0, login.environment.now()) })
    }
  }

  private func requireOwn(_ accessToken: String?) throws(SDKError) {
    guard let body = accessToken.flatMap({ try? JWT($0) })?.body,
      let client = body.string("client_id") ?? body.string("azp"),
      !sameIdentifier(client, clientID)
    else { return }
    throw SDKError(
      .untrusted,
      cause: "the access token is for the client \(VisibleText.quoted(client)), "
        + "and this one is \(VisibleText.quoted(clientID))")
  }
}
