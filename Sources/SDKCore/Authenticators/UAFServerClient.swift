import HTTP
import JSON
import Primitives
import UAF

/// Requests to a FIDO UAF server, as nevisFIDO has them.
struct UAFServerClient: Sendable {
  let environment: SessionEnvironment
  let settings: FIDOSettings

  /// Asks for the request of an operation.
  ///
  /// - Throws: ``SDKError`` for any status but 1200.
  func request(
    _ operation: UAFOperation, _ context: JSON, with credential: Credential? = nil
  ) async throws(SDKError) -> String {
    let url = try settings.url(operation.requestPath)
    let (text, type) = settings.message(operation, context)
    let response = try await post(text, of: type, to: url, with: credential)
    let message = try attempt { try ReturnUAFRequest(parsing: response.body) }
    if let error = SDKError(message.status, from: url.host) { throw error }
    guard let request = message.request else {
      throw SDKError(.malformedResponse, cause: "the response of \(url.host) has no request")
    }
    return request
  }

  /// Sends the response to a request: a message of the authenticator.
  ///
  /// - Returns: the server's verdict, whatever it is, with the HTTP response.
  /// - Throws: ``SDKError`` if there is none.
  func send(
    _ message: String, of operation: UAFOperation
  ) async throws(SDKError) -> (verdict: ServerResponse, response: HTTPResponse) {
    let url = try settings.url(operation.responsePath)
    let response = try await post(SendUAFResponse(message).encoded, to: url)
    return (try attempt { try ServerResponse(parsing: response.body) }, response)
  }

  private func post(
    _ body: String, of type: String = mediaType, to url: HTTPURL,
    with credential: Credential? = nil
  ) async throws(SDKError) -> HTTPResponse {
    var request = HTTPRequest(
      .post, url, body: .bytes(Array(body.utf8)),
      timeout: environment.clock.limits.bounded(settings.networkTimeout))
    request.fields = [
      HTTPField(known: "Content-Type", "\(type);charset=UTF-8"),
      HTTPField(known: "Accept", Self.mediaType),
    ]
    let response = try await attempt {
      try credential?.authorize(&request)
      return try await environment.transport.send(request, limit: Self.limit)
    }
    guard response.isSuccess else { throw refusal(response) }
    return response
  }

  /// The error of an HTTP error, which may have a status of UAF.
  private func refusal(_ response: HTTPResponse) -> SDKError {
    let host = response.url.host
    if let verdict = try? ServerResponse(parsing: response.body),
      let error = SDKError(verdict.status, from: host, saying: verdict.description)
    {
      return error
    }
    let cause = "\(host) returned \(response.status)"
    return response.status == 401
      ? SDKError(.notAuthenticated, cause: "\(cause): it requires a login", subject: host)
      : SDKError(status: response.status, cause: cause, subject: host)
  }

  static let mediaType = "application/fido+uaf"
  private static let limit = 1 << 20
}

extension UAFOperation {
  fileprivate var requestPath: KeyPath<ProfileKeys, Key<String>> {
    switch self {
    case .registration: \.fidoRegistrationRequestPath
    case .authentication: \.fidoAuthenticationRequestPath
    case .deregistration: \.fidoDeregistrationRequestPath
    }
  }

  /// A deregistration has no response; its path is not used.
  fileprivate var responsePath: KeyPath<ProfileKeys, Key<String>> {
    self == .registration ? \.fidoRegistrationResponsePath : \.fidoAuthenticationResponsePath
  }
}
