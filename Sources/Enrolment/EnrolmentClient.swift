import HTTP
import OAuth
import OpenSSL
import Primitives
import SDKCore

struct EnrolmentClient: Sendable {
  enum Body {
    case none
    case form(FormParameters)
    case bytes([UInt8], type: String)
    /// Bytes in base64, as EST has them.
    case base64([UInt8], type: String)
  }

  private let context: EnrolmentContext
  private let certificate: ClientCertificate?
  private let fields: HTTPFields

  /// Whether its requests have a credential.
  var hasCredential: Bool { fields.contains("Authorization") }

  /// Makes a client whose requests have these fields; `certificate` is shown if the server asks for one.
  init(
    _ context: EnrolmentContext, showing certificate: ClientCertificate? = nil,
    _ fields: HTTPFields = []
  ) {
    self.context = context
    self.certificate = certificate
    self.fields = fields
  }

  func send(
    _ method: HTTPMethod, _ url: HTTPURL, _ body: Body = .none, cookies: CookieJar = CookieJar(),
    expecting expected: Set<Int> = []
  ) async throws(SDKError) -> HTTPResponse {
    var request = HTTPRequest(
      method, url, fields: fields, timeout: context.environment.clock.limits.exchange)
    request.clientCertificate = certificate
    switch body {
    case .none: break
    case .form(let parameters):
      request.fields.append(HTTPField(known: "Content-Type", "application/x-www-form-urlencoded"))
      request.body = .bytes(Array(parameters.encoded.utf8))
    case .bytes(let bytes, let type):
      request.fields.append(HTTPField(known: "Content-Type", type))
      request.body = .bytes(bytes)
    case .base64(let bytes, let type):
      request.fields.append(HTTPField(known: "Content-Type", type))
      request.fields.append(HTTPField(known: "Content-Transfer-Encoding", "base64"))
      request.body = .bytes(Array(Base64.encode(bytes).utf8))
    }
    try add(cookies, to: &request)
    let response = try await attempt {
      try await context.environment.transport.send(request, limit: Self.limit)
    }
    guard response.isSuccess || expected.contains(response.status) else {
      throw refusal(response, to: request)
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

  private func refusal(_ response: HTTPResponse, to request: HTTPRequest) -> SDKError {
    let host = request.url.host
    if let message = response.certificateRefusal {
      return SDKError(.identity, cause: "\(host): \(message)", subject: host)
    }
    if response.asksForLater { return SDKError(response, subject: host) }
    let challenges = response.challenges
    if response.status == 401, challenges.contains(where: { $0.isOf(scheme: "Digest") }),
      !challenges.contains(where: { $0.isOf(scheme: "Basic") })
    {
      return SDKError(
        .unsupported, cause: "\(host) asks for Digest authentication, which is not supported",
        subject: host)
    }
    // Section 4.2.3 of RFC 7030: a text for people.
    var reason = ""
    if response.mediaType == "text/plain" {
      let text = SecretEcho(of: request)
        .description(String(decoding: response.body.prefix(1 << 10), as: UTF8.self))
      reason = text.map { ": " + VisibleText.of($0, .space, limit: 200).trimmingBlanks } ?? ""
    }
    return SDKError(
      .refused, cause: "\(host) returned \(response.status)\(reason)", subject: host,
      remedy: remedy(after: response, to: request))
  }

  /// The setting that gives the service what it asks for.
  private func remedy(after response: HTTPResponse, to request: HTTPRequest) -> Remedy? {
    guard response.status == 401, request.fields["Authorization"] == nil else { return nil }
    let isForToken = response.challenges.contains {
      $0.isOf(scheme: "Bearer") || $0.isOf(scheme: DPoP.tokenType)
    }
    return isForToken
      ? .setProfile(key: "identity.token", value: "user")
      : .setProfile(key: "identity.user", value: nil)
  }

  /// The certificates of a PKCS #7 message, or those that some servers send as they are, in DER or PEM.
  static func certificates(_ response: HTTPResponse) throws(SDKError) -> [Certificate] {
    let certificates: [Certificate]
    let isPEM = PEM.isLikely(response.body)
    let bytes = isPEM ? response.body : try der(response)
    do {
      certificates =
        try isPEM
        ? Certificate.list(pem: bytes)
        : (try? [Certificate(der: bytes)]) ?? Certificate.list(pkcs7: bytes)
    } catch {
      throw SDKError(.malformedResponse, cause: "the response of \(response.url.host): \(error)")
    }
    // Each may have to be tried as the issuer of each.
    let limit = IdentityMaterial.maximumCount
    guard certificates.count <= limit else {
      throw SDKError(
        .malformedResponse,
        cause: "the response of \(response.url.host) has more than \(limit) certificates")
    }
    return certificates
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

  static let limit = 1 << 20
}

/// The waits that a service asks for while it has not decided (RFC 7030 section 4.2.3).
struct RetryAfter: Sendable {
  private let context: EnrolmentContext
  private var count = 0
  private var left: Duration

  init(_ context: EnrolmentContext) {
    self.context = context
    left = min(context.environment.clock.limits.remaining ?? Self.maximum, Self.maximum)
  }

  mutating func wait(_ response: HTTPResponse) async throws(SDKError) {
    count += 1
    let pause = max(.seconds(1), response.retryAfter(at: context.now()) ?? Self.usualPause)
    guard count <= Self.maximumCount, pause <= left else {
      throw SDKError(
        .busy,
        cause: "\(response.url.host) has not issued the certificate yet; it says to ask again "
          + "in \(pause.components.seconds) seconds", subject: response.url.host)
    }
    left -= pause
    context.session.trace?("* \(response.url.host) has not decided; asking again in \(pause)")
    do {
      try await context.environment.clock.pause(pause)
    } catch {
      throw SDKError.cancelled
    }
  }

  private static let usualPause = Duration.seconds(10)
  private static let maximum = Duration.seconds(300)
  private static let maximumCount = 30
}
