public import HTTP
import JSON
import OAuth
import Primitives
import Trace

/// Lets the user log in with these options; throws if the login failed.
public typealias LoginHandler = @Sendable (LoginOptions) async throws(SDKError) -> Void

/// Requests to the resource servers of a profile.
public struct ResourceService: Sendable {
  let tokens: TokenService
  let observers = RequestObservers()
  let process: ProcessCheck
  let userAgent: String
  /// The file of the trusted authorities; `nil` for the system's.
  public let caFile: String?
  package let baseURL: HTTPURL?
  /// Whether the server requires encrypted requests, by whether a request has tokens.
  let encryptionDemands = StoreMemory<Bool, Bool>()

  package var environment: SessionEnvironment { tokens.environment }
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

  package func send(
    _ request: ResourceRequest, as access: Access, receiving body: HTTPBodyReceiver,
    loggingIn logIn: LoginHandler? = nil, through gate: TransferGate
  ) async throws(SDKError) -> HTTPResponse {
    try await ResendEngine(self, access, loggingIn: logIn, through: gate)
      .send(request, receiving: body)
  }

  /// Sends one of several requests that belong together; those of a user are sent as that one or not at all.
  package func send(
    _ request: ResourceRequest, as access: Access, of owner: RequestOwner,
    receiving body: HTTPBodyReceiver, loggingIn logIn: LoginHandler? = nil,
    retrying policy: RetryPolicy? = nil
  ) async throws(SDKError) -> HTTPResponse {
    try await ResendEngine(self, access, of: owner, loggingIn: logIn, retrying: policy)
      .send(request, receiving: body)
  }

  /// The user who is logged in now, in whose name such requests are sent.
  package func owner() async -> RequestOwner { await RequestOwner(tokens.slots) }
}

extension ResourceService {
  /// Makes the HTTP request, and checks all that can be checked without a connection.
  @inline(never)
  func checked(_ request: ResourceRequest, as access: Access) async throws(SDKError) -> HTTPRequest
  {
    try process.require()
    if let slot = access.slot {
      do { try await tokens.require(slot) } catch { throw error.during(access.action) }
    }
    let httpRequest = try request.http(
      relativeTo: baseURL, domain: access.domain)
    guard let slot = access.slot else { return httpRequest }
    if case .cookies(let session) = try await tokens.slots.provider(in: slot, isRecent: true) {
      try requireNoCookieField(in: request, access)
      try session.requireCookie(for: httpRequest.url)
    }
    try requireAllowed(httpRequest)
    return httpRequest
  }

  /// Checks all that can be checked without a connection and without the stored login.
  func check(_ request: ResourceRequest, as access: Access) throws(SDKError) {
    try process.require()
    let httpRequest = try request.http(relativeTo: baseURL, domain: access.domain)
    if access.slot != nil { try requireAllowed(httpRequest) }
  }

  private func requireAllowed(_ httpRequest: HTTPRequest) throws(SDKError) {
    guard !profile.allowsCredential(to: httpRequest.url) else { return }
    let origin = httpRequest.url.origin
    let cause =
      httpRequest.url.scheme == .https
      ? "the profile does not allow that host" : "its scheme is not https"
    throw SDKError(
      .policy, "could not send the token to \(origin): \(cause)", subject: origin,
      remedy: profile.remedy(allowing: httpRequest.url))
  }

  private func requireNoCookieField(
    in request: ResourceRequest, _ access: Access
  ) throws(SDKError) {
    guard let field = request.headers.first(where: { $0.name.asciiLowercased == "cookie" }) else {
      return
    }
    throw SDKError(
      .invalidRequest,
      "could not send the request: the header field '\(field.name)' is reserved, because the login "
        + "is a set of cookies",
      resource: .invalidHeaders(access.domain))
  }
}

extension Profile {
  /// The setting that allows the host in addition to the allowed ones; `nil` for http.
  package func remedy(allowing url: HTTPURL) -> Remedy? {
    guard url.scheme == .https else { return nil }
    let hosts = self.allowedHosts + [url.authority]
    return .setProfile(key: "allowedHosts", value: hosts.joined(separator: ","))
  }
}

extension SessionCookies {
  func requireCookie(for url: HTTPURL) throws(SDKError) {
    if cookies.contains(where: { $0.matches(url) }) { return }
    throw SDKError(
      .policy,
      "could not send the request: no cookie of the login is for \(url.origin)\(url.path)",
      subject: url.origin)
  }
}

extension ResourceService {
  /// A text of the server without the secrets that a request carried: the credential of its slot, and
  /// what is a secret of the profile's trace.
  ///
  /// A program calls it before it shows or logs the body of an error: some servers repeat what was sent.
  public func redacted(
    _ text: String, of request: ResourceRequest, as access: Access
  ) async -> String {
    let secrets = TraceSecrets(names: profile.secretNames)
    let exchange = ExchangeText(secrets: secrets)
    if let sent = try? request.http(relativeTo: profile.resourceURL, domain: access.domain) {
      _ = exchange.url(sent.url)
      let body = if case .bytes(let bytes) = sent.body { bytes } else { [UInt8]() }
      _ = exchange.lines(sent.fields, TracedBody(body))
    }
    guard let slot = access.slot, let provider = try? await tokens.slots.provider(in: slot) else {
      return secrets.redacted(text)
    }
    switch provider {
    case .bearer(let tokens), .dpop(let tokens), .jwt(let tokens):
      secrets.learn(tokens.accessToken)
    case .cookies(let session):
      for cookie in session.cookies { secrets.learn(cookie.value) }
    }
    return secrets.redacted(text)
  }

  /// A URL as text, without the secrets of its query.
  public func shown(_ url: HTTPURL) -> String {
    ExchangeText(secrets: TraceSecrets(names: profile.secretNames)).url(url)
  }
}
