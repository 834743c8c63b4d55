public import HTTP

/// Lets the user log in with these options; throws if the login failed.
public typealias LoginHandler = @Sendable (LoginOptions) async throws(SDKError) -> Void

/// Requests to the resource servers of a profile.
public struct ResourceService: Sendable {
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
  var profile: Profile { environment.profile }

  /// Sends a resource request with the credential of an access.
  ///
  /// An HTTP error status is not thrown: the response is returned as received.
  ///
  /// If a login is needed and `logIn` is given, the user logs in, at most once: if nobody is logged in,
  /// if the login has expired, and if the resource requires that the user authenticates again or in
  /// another way (RFC 9470). If another user logs in, nothing is sent (``SDKError/Code/untrusted``).
  ///
  /// With a policy, the request is sent again after transient failures. A response of a transient
  /// failure is delivered only if it is the last one. If a body breaks off, the request is sent again
  /// only if the sink can start again.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - access: which credential it gets.
  ///   - body: what receives the body of the response.
  ///   - logIn: lets the user log in; `nil` if no login may be started.
  ///   - policy: when it is sent again; `nil` for never.
  ///   - prepare: changes the request before each attempt.
  /// - Returns: the last response.
  /// - Throws: ``SDKError``.
  public func send(
    _ request: ResourceRequest, as access: Access, receiving body: HTTPBodyReceiver,
    loggingIn logIn: LoginHandler? = nil, retrying policy: RetryPolicy? = nil,
    preparing prepare: (@Sendable (inout ResourceRequest) -> Void)? = nil
  ) async throws(SDKError) -> HTTPResponse {
    try await ResendEngine(
      self, access, loggingIn: logIn, retrying: policy, preparing: prepare
    ).send(request, receiving: body)
  }

  /// Sends a resource request whose transfer can be suspended.
  package func send(
    _ request: ResourceRequest, as access: Access, receiving body: HTTPBodyReceiver,
    loggingIn logIn: LoginHandler? = nil, through gate: TransferGate
  ) async throws(SDKError) -> HTTPResponse {
    try await ResendEngine(self, access, loggingIn: logIn, through: gate)
      .send(request, receiving: body)
  }

  /// Sends a resource request as one of several that are the same user's.
  func send(
    _ request: ResourceRequest, as access: Access, of owner: RequestOwner,
    receiving body: HTTPBodyReceiver, retrying policy: RetryPolicy?
  ) async throws(SDKError) -> HTTPResponse {
    try await ResendEngine(self, access, of: owner, retrying: policy)
      .send(request, receiving: body)
  }
}
