public import HTTP

/// Asks the user to log in, as the options say.
public typealias LoginHandler = @Sendable (LoginOptions) async throws(SDKError) -> Void

/// Requests to the resource servers of a profile.
public struct ResourceService: SessionService {
  let environment: SessionEnvironment
  let tokens: TokenService

  init(_ environment: SessionEnvironment) {
    self.environment = environment
    tokens = TokenService(environment)
  }

  /// Sends a resource request with the credential of an access.
  ///
  /// The response comes back unmapped: an HTTP error status is not an error here.
  ///
  /// - Throws: ``SDKError``.
  public func send(
    _ request: ResourceRequest, as access: Access, receiving body: HTTPBodyReceiver
  ) async throws(SDKError) -> HTTPResponse {
    try await ResourcePipeline(resources: self, access: access).send(request, receiving: body)
  }

  /// Sends a resource request whose transfer can be suspended.
  func send(
    _ request: ResourceRequest, as access: Access, receiving body: HTTPBodyReceiver,
    through gate: TransferGate
  ) async throws(SDKError) -> HTTPResponse {
    try await ResourcePipeline(resources: self, access: access, gate: gate)
      .send(request, receiving: body)
  }

  /// Sends a resource request in its turn.
  func send(
    _ request: ResourceRequest, as access: Access, receiving body: HTTPBodyReceiver,
    in turn: TransferTurn
  ) async throws(SDKError) -> HTTPResponse {
    try await ResourcePipeline(resources: self, access: access, turn: turn)
      .send(request, receiving: body)
  }

  /// Checks all that can be checked before a connection: slot, method, header fields, URL, host.
  func check(_ request: ResourceRequest, as access: Access) throws(SDKError) {
    _ = try ResourcePipeline(resources: self, access: access).checked(request)
  }

  /// Sends a resource request, and lets the user log in for it where nothing else helps, once.
  ///
  /// That is when nobody is logged in, when the login is over, and when the resource wants
  /// the user to authenticate again or in another way (RFC 9470).
  ///
  /// - Throws: ``SDKError``.
  public func send(
    _ request: ResourceRequest, as access: Access, receiving body: HTTPBodyReceiver,
    loggingIn logIn: LoginHandler?
  ) async throws(SDKError) -> HTTPResponse {
    try await ResourcePipeline(resources: self, access: access, logIn: logIn)
      .send(request, receiving: body)
  }
}
