public import HTTP

/// Lets the user log in with these options; throws if the login failed.
public typealias LoginHandler = @Sendable (LoginOptions) async throws(SDKError) -> Void

/// Requests to the resource servers of a profile.
public struct ResourceService: SessionService {
  let tokens: TokenService
  let observers = RequestObservers()
  let process: ProcessCheck
  /// The value of the `User-Agent` field.
  let userAgent: String
  /// The file of the trusted authorities; `nil` for the system's.
  let authorities: String?
  /// The base URL of paths.
  let baseURL: HTTPURL?
  /// Whether the server requires encrypted requests, by whether a request has tokens.
  let encryptionDemands = StoreMemory<Bool, Bool>()

  var environment: SessionEnvironment { tokens.environment }

  /// Sends a resource request with the credential of an access.
  ///
  /// An HTTP error status is not thrown: the response is returned as received.
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

  /// Sends a resource request as one of several that are the same user's.
  func send(
    _ request: ResourceRequest, as access: Access, of owner: RequestOwner,
    receiving body: HTTPBodyReceiver, loggingIn logIn: LoginHandler? = nil
  ) async throws(SDKError) -> HTTPResponse {
    try await ResourcePipeline(resources: self, access: access, owner: owner, logIn: logIn)
      .send(request, receiving: body)
  }

  /// Checks slot, method, header fields, URL and host of a request; uses no network.
  func check(_ request: ResourceRequest, as access: Access) throws(SDKError) {
    _ = try ResourcePipeline(resources: self, access: access).checked(request)
  }

  /// Sends a resource request, and lets the user log in if that is needed; at most once.
  ///
  /// A login is needed if nobody is logged in, if the login has expired, and if the resource requires
  /// that the user authenticates again or in another way (RFC 9470). If another user logs in,
  /// nothing is sent (``SDKError/Code/untrusted``).
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
