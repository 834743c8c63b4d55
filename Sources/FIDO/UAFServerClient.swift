import HTTP
import JSON
import Primitives
import SDKCore
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
  ) async throws(SDKError) -> ServedRequest {
    let url = try settings.url(operation.requestPath)
    let response = try await send(
      .post, settings.message(operation, context), to: url, with: credential)
    let message = try attempt { try ReturnUAFRequest(parsing: response.body) }
    let host = response.url.host
    if let error = SDKError(message.status, from: host) { throw error }
    guard let request = message.request else {
      throw SDKError(.malformedResponse, cause: "the response of \(host) has no request")
    }
    return ServedRequest(text: request, channelBinding: ChannelBinding(of: response))
  }

  /// Sends the response to a request: a message of the authenticator.
  ///
  /// - Returns: the server's verdict, whatever it is, with the HTTP response.
  /// - Throws: ``SDKError`` if there is none.
  func send(
    _ message: String, of operation: UAFOperation
  ) async throws(SDKError) -> (verdict: ServerResponse, response: HTTPResponse) {
    let url = try settings.url(operation.responsePath)
    let response = try await send(
      .post, (SendUAFResponse(message).encoded, Self.mediaType), to: url)
    return (try attempt { try ServerResponse(parsing: response.body) }, response)
  }

  /// A body with its media type, without parameters.
  typealias Body = (text: String, type: String)

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - body: the body; `nil` for none.
  ///   - type: the media type of the response.
  ///   - url: where it is sent.
  ///   - credential: the session of a user; `nil` for none.
  /// - Returns: the response, which is a success.
  /// - Throws: ``SDKError`` for an HTTP error.
  func send(
    _ method: HTTPMethod, _ body: Body?, accepting type: String = mediaType, to url: HTTPURL,
    with credential: Credential? = nil
  ) async throws(SDKError) -> HTTPResponse {
    var request = HTTPRequest(
      method, url, timeout: environment.clock.limits.bounded(settings.networkTimeout))
    if let body {
      request.body = .bytes(Array(body.text.utf8))
      request.fields.append(HTTPField(known: "Content-Type", "\(body.type);charset=UTF-8"))
    }
    request.fields.append(HTTPField(known: "Accept", type))
    request.describesCertificates = true
    let prepared = request
    let response = try await attempt {
      var request = prepared
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
    switch response.status {
    case 401:
      return SDKError(.notAuthenticated, cause: "\(cause): it requires a login", subject: host)
    case 422:
      return SDKError(
        .refused, cause: "\(cause): the name is in use, or the dispatcher is not known",
        subject: host)
    default: return SDKError(response, subject: host)
    }
  }

  /// A document as a body.
  static func json(_ document: JSON) -> Body { (document.serialized(), jsonType) }

  static let mediaType = "application/fido+uaf"
  static let jsonType = "application/json"
  private static let limit = 1 << 20
}

extension UAFOperation {
  fileprivate var requestPath: Key<String> {
    switch self {
    case .registration: FIDOKeys.registrationRequestPath
    case .authentication: FIDOKeys.authenticationRequestPath
    case .deregistration: FIDOKeys.deregistrationRequestPath
    }
  }

  /// A deregistration has no response; its path is not used.
  fileprivate var responsePath: Key<String> {
    self == .registration ? FIDOKeys.registrationResponsePath : FIDOKeys.authenticationResponsePath
  }
}
