public import HTTP

/// Fetches resources as the user who is logged in.
public struct UserClient: Sendable {
  let client: ClientSession

  /// Makes a client of an opened profile.
  public init(_ session: ProfileSession) { client = ClientSession(session) }

  init(_ client: ClientSession) { self.client = client }

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

  /// Logs a user in by browser, and returns how it ended: ``LoginService/authorize(scope:present:)``.
  ///
  /// - Throws: ``SDKError`` if there is no result; no configuration is 10001.
  public func authorize(
    scope: String? = nil, present: @escaping ChallengeHandler
  ) async throws(SDKError) -> AuthorizationOutcome {
    try await client.opened().login.authorize(scope: scope, present: present)
  }

  /// The user's token, which is renewed first if it has expired.
  ///
  /// - Throws: ``SDKError`` as ``TokenService/valid(for:_:)``; no configuration is 10001.
  public func token(_ demand: TokenDemand = TokenDemand()) async throws(SDKError) -> TokenSet {
    try await client.opened().tokens.valid(for: .user, demand)
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
