public import HTTP

/// Shows a challenge of a client to a user, as a ``ChallengeHandler`` does.
public typealias ClientChallengeHandler = @Sendable (UserClient, BrowserChallenge) async -> Void

/// Fetches resources as the user who is logged in.
public struct UserClient: Sendable {
  let client: ClientSession

  /// Makes a client of an opened profile.
  public init(_ session: ProfileSession) { client = ClientSession(session) }

  init(_ client: ClientSession) { self.client = client }

  /// The user of the profile whose client it is.
  ///
  /// - Throws: ``SDKError``; no configuration is 10001.
  public var userID: UserID {
    get throws(SDKError) { try client.session().userID }
  }

  /// Sends a request with the user's token; after a 401 it is sent once more with a new token.
  ///
  /// An HTTP error status is not thrown: see ``ResourceResponse/error``.
  ///
  /// - Throws: ``SDKError``; nobody logged in is 9010, no configuration 10001.
  public func send(
    _ request: ResourceRequest, receiving body: HTTPBodyReceiver = .collect(limit: 1 << 26)
  ) async throws(SDKError) -> ResourceResponse {
    try await client.send(request, as: .user, receiving: body)
  }

  /// Sends a request with the user's implicit token, which it obtains when needed.
  ///
  /// - Throws: ``SDKError``; nobody logged in is 9026, no configuration 10001.
  public func sendImplicit(
    _ request: ResourceRequest, receiving body: HTTPBodyReceiver = .collect(limit: 1 << 26)
  ) async throws(SDKError) -> ResourceResponse {
    try await client.send(request, as: .implicit, receiving: body)
  }

  /// Logs a user in by browser, and returns how it ended.
  ///
  /// - Parameters:
  ///   - scope: what to ask for; `nil` for the profile's.
  ///   - present: shows the challenge to a user; the browser's response arrives at the loopback
  ///     address by itself, or by ``BrowserChallenge/respond(with:)``.
  /// - Returns: one of the three results.
  /// - Throws: ``SDKError`` if there is no result: network, TLS, pins, store; no configuration is 10001.
  public func authorize(
    scope: String? = nil, present: @escaping ClientChallengeHandler
  ) async throws(SDKError) -> AuthorizationOutcome {
    var options = LoginOptions()
    options.scope = scope
    do throws(SDKError) {
      let login = try client.session().login
      return .authorized(
        try await login.logIn(by: .browser { await present(self, $0) }, options).tokens)
    } catch {
      guard let outcome = AuthorizationOutcome(error) else { throw error }
      return outcome
    }
  }

  /// The user's token, which is renewed first if it has expired.
  ///
  /// - Throws: ``SDKError`` as ``TokenService/valid(for:_:)``; no configuration is 10001.
  public func token(_ demand: TokenDemand = TokenDemand()) async throws(SDKError) -> TokenSet {
    try await client.session().tokens.valid(for: .user, demand)
  }

  /// Starts a request with the user's token, and returns its task.
  ///
  /// - Returns: the task; `nil` if the request cannot be sent, and the completion has been called.
  @discardableResult
  public func start(
    _ request: ResourceRequest, receiving body: HTTPBodyReceiver = .collect(limit: 1 << 26),
    completion: @escaping NetworkTask.Completion = { _, _ in }
  ) -> NetworkTask? {
    NetworkTask.start(request, as: .user, in: client, receiving: body, completion)
  }

  /// Starts a request with the user's implicit token, and returns its task.
  ///
  /// - Returns: the task; `nil` if the request cannot be sent, and the completion has been called.
  @discardableResult
  public func startImplicit(
    _ request: ResourceRequest, receiving body: HTTPBodyReceiver = .collect(limit: 1 << 26),
    completion: @escaping NetworkTask.Completion = { _, _ in }
  ) -> NetworkTask? {
    NetworkTask.start(request, as: .implicit, in: client, receiving: body, completion)
  }
}

extension UserClient {
  /// Registers a user with a browser identity provider (the vendors' browser registration).
  ///
  /// The handler gets a ``BrowserChallenge``, again with an error if the address was not the response, five times at
  /// most. If the response passes all checks, the user's tokens are kept; who was registered before is replaced.
  ///
  /// - Parameters:
  ///   - identityProvider: which one (parameter `idp`); `nil` for the server's choice.
  ///   - scope: what to ask for; `nil` for the profile's.
  ///   - timeout: how long the person has; `nil` for five minutes.
  ///   - handler: gets this client, and carries the challenge to a person.
  /// - Returns: the user and the tokens, which are kept already.
  /// - Throws: ``SDKError``: 9006 when the handler or the task cancelled, 9007 when a login
  ///   or registration is under way, 10002 if no response had the right state, 10020 for an
  ///   identity provider that is not known, `denied` when the person refused.
  public func registerUser(
    identityProvider: String? = nil, scope: String? = nil, timeout: Duration? = nil,
    handler: @escaping ClientChallengeHandler
  ) async throws(SDKError) -> LoginResult {
    var options = LoginOptions()
    options.scope = scope
    options.timeout = timeout
    options.attempts = 5
    return try await client.session().login.registerUser(
      by: .handled { await handler(self, $0) }, options, identityProvider: identityProvider)
  }
}

extension UserClient {
  /// The users who have logged in here, and the current one.
  ///
  /// - Throws: ``SDKError`` of the profile or the store.
  public func userProfiles() async throws(SDKError) -> [UserProfile] {
    try await client.session().users()
  }

  /// Whether a user has logged in here, and was not deregistered since.
  ///
  /// - Throws: ``SDKError`` of the profile or the store.
  public func isRegistered(_ user: UserID) async throws(SDKError) -> Bool {
    try await userProfiles().contains { $0.id == user && !$0.slots.isEmpty }
  }

  /// The user who is logged in; `nil` if nobody is.
  ///
  /// - Throws: ``SDKError`` of the profile or the store.
  public func authenticatedUserProfile() async throws(SDKError) -> UserProfile? {
    let user = try client.session().userID
    return try await userProfiles().first { $0.id == user && $0.login != nil }
  }

  /// Revokes the tokens of a user, and removes all that is stored of the user.
  ///
  /// What the server may still accept is a step that has failed.
  ///
  /// - Throws: ``SDKError``; see ``RegistrationService/deregisterUser(isLocal:)``.
  public func deregister(_ user: UserID) async throws(SDKError) -> [LogoutStep] {
    try await client.session().session(of: user).registration.deregisterUser()
  }
}
