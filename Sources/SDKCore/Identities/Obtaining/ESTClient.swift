import HTTP
import OpenSSL
import POSIX
import Primitives

/// The exchanges with an EST server (RFC 7030).
struct ESTClient: Sendable {
  private let context: EnrolmentContext
  private let base: HTTPURL
  private let certificate: ClientCertificate?

  /// Makes a client; `certificate` is shown if the server asks for one.
  init(_ context: EnrolmentContext, showing certificate: ClientCertificate?) throws(SDKError) {
    self.context = context
    self.certificate = certificate
    base = try Self.base(context)
  }

  /// The certificates of the authorities (section 4.1).
  func authorities() async throws(SDKError) -> [Certificate] {
    let response = try await send(.get, "cacerts")
    guard response.status == 200 else { throw refusal(response) }
    return try EnrolmentClient.certificates(response)
  }

  /// What a certificate request should contain (section 4.5); a server may have no wishes.
  func attributes() async throws(SDKError) -> ESTAttributes {
    let response = try await send(.get, "csrattrs")
    switch response.status {
    case 200: return try ESTAttributes(der: try EnrolmentClient.der(response))
    case 204, 404: return ESTAttributes()
    default: throw refusal(response)
    }
  }

  /// Has a certificate issued (section 4.2): waits while the server has not decided.
  func enroll(_ request: [UInt8], renewing: Bool) async throws(SDKError) -> [Certificate] {
    let credential = try await EnrolmentCredential(context)
    var waits = RetryAfter(context)
    while true {
      let response = try await send(
        .post, renewing ? "simplereenroll" : "simpleenroll", request, credential)
      switch response.status {
      case 200: return try EnrolmentClient.certificates(response)
      case 202: try await waits.wait(response)
      default: throw refusal(response, credential)
      }
    }
  }

  private func send(
    _ method: HTTPMethod, _ operation: String, _ body: [UInt8]? = nil,
    _ credential: EnrolmentCredential? = nil
  ) async throws(SDKError) -> HTTPResponse {
    do {
      var request = HTTPRequest(
        method, try base.appending(operation), timeout: context.environment.clock.limits.exchange)
      request.clientCertificate = certificate
      if let body {
        request.fields = [
          HTTPField(known: "Content-Type", "application/pkcs10"),
          HTTPField(known: "Content-Transfer-Encoding", "base64"),
        ]
        request.body = .bytes(Array(Base64.encode(body).utf8))
      }
      credential?.authorize(&request)
      return try await context.environment.transport.send(request, limit: EnrolmentClient.limit)
    } catch let error as TransportError {
      throw SDKError(error)
    } catch {
      throw SDKError(.invalidConfiguration, cause: "identity.url: \(error)")
    }
  }

  private func refusal(
    _ response: HTTPResponse, _ credential: EnrolmentCredential? = nil
  ) -> SDKError {
    var request = HTTPRequest(.get, base)
    credential?.authorize(&request)
    return EnrolmentCredential.refusal(response, to: request)
  }

  /// `URL/.well-known/est`, with the label if there is one (section 3.2.2); a URL with a path is
  /// complete.
  private static func base(_ context: EnrolmentContext) throws(SDKError) -> HTTPURL {
    let url = try context.required(\.identityURL)
    guard ["", "/"].contains(url.path) else { return url }
    do {
      let label = context.profile.identityLabel.map { "/\($0)" } ?? ""
      return try url.appending("/.well-known/est\(label)")
    } catch {
      throw SDKError(.invalidConfiguration, cause: "identity.url: \(error)")
    }
  }
}
