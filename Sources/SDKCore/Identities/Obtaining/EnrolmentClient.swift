import HTTP
import OpenSSL
import Primitives

/// Requests to an enrolment service, with what identifies the client.
struct EnrolmentClient: Sendable {
  /// What a request carries.
  enum Body {
    case none
    case form(FormParameters)
    case bytes([UInt8], type: String)

    /// Bytes in base64, as EST has them.
    static func base64(_ bytes: [UInt8], type: String) -> Body {
      .bytes(Array(Base64.encode(bytes).utf8), type: type)
    }
  }

  private let context: EnrolmentContext
  private let fields: HTTPFields

  init(_ context: EnrolmentContext, _ fields: HTTPFields = []) {
    self.context = context
    self.fields = fields
  }

  /// Sends a request and returns its response.
  ///
  /// - Throws: ``SDKError`` also for any status but 2xx.
  func send(
    _ method: HTTPMethod, _ url: HTTPURL, _ body: Body = .none, cookies: CookieJar = CookieJar()
  ) async throws(SDKError) -> HTTPResponse {
    var request = HTTPRequest(
      method, url, fields: fields, timeout: context.environment.clock.limits.exchange)
    switch body {
    case .none: break
    case .form(let parameters):
      request.fields.append(HTTPField(known: "Content-Type", "application/x-www-form-urlencoded"))
      request.body = .bytes(Array(parameters.encoded.utf8))
    case .bytes(let bytes, let type):
      request.fields.append(HTTPField(known: "Content-Type", type))
      request.body = .bytes(bytes)
    }
    try add(cookies, to: &request)
    let response = try await attempt {
      try await context.environment.transport.send(request, limit: Self.limit)
    }
    guard response.isSuccess else {
      throw EnrolmentCredential.refusal(response, to: request)
    }
    return response
  }

  private func add(
    _ cookies: CookieJar, to request: inout HTTPRequest
  ) throws(SDKError) {
    try attempt(as: .malformedResponse) {
      if let id = context.profile.applicationID {
        request.fields.append(try HTTPField(Profile.applicationIDField, id))
      }
      if let value = cookies.cookies.header(for: request.url, at: context.now()) {
        request.fields.append(try HTTPField("Cookie", value))
      }
    }
  }

  /// The certificates of a PKCS #7 message, in base64 or DER.
  static func certificates(_ response: HTTPResponse) throws(SDKError) -> [Certificate] {
    let bytes = try der(response)
    do {
      return try Certificate.list(pkcs7: bytes)
    } catch {
      throw SDKError(.malformedResponse, cause: "the response of \(response.url.host): \(error)")
    }
  }

  /// A body in base64 (RFC 7030 section 4.1.3), or DER as some servers send it.
  static func der(_ response: HTTPResponse) throws(SDKError) -> [UInt8] {
    if response.body.first == 0x30 { return response.body }
    let digits = response.body.filter { $0 > 0x20 }
    guard !digits.isEmpty, let bytes = Base64.decode(digits) else {
      throw SDKError(
        .malformedResponse, cause: "the response of \(response.url.host) is not base64")
    }
    return bytes
  }

  /// More than any list of certificates.
  static let limit = 1 << 20
}
