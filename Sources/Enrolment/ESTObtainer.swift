import HTTP
import OpenSSL
import Primitives
import SDKCore

/// Enrolment over Secure Transport (RFC 7030).
struct ESTObtainer: Sendable {
  let context: EnrolmentContext

  func obtain(_ request: IdentityRequest) async throws(SDKError) -> Identity {
    let shown = request.current?.clientCertificate
    let plain = EnrolmentClient(context, showing: shown)
    let client = EnrolmentClient(context, showing: shown, try await context.credential())
    // Section 4.1: the certificates of the authorities.
    let response = try await get("cacerts", plain, client)
    let authorities = try Self.read("cacerts", response, EnrolmentClient.certificates)
    let attributes = try await attributes(plain, client)
    let key = try EnrolmentKey(
      context, renewing: request.current, kind: attributes.keyKind ?? .ec(.p256),
      subject: SubjectName(
        commonName: context.profile[EnrolmentKeys.user] ?? request.name.description))
    let certificates = try await enroll(
      client, shown == nil ? "simpleenroll" : "simplereenroll", try key.request(), attributes)
    return try key.identity(
      request, certificates, authorities: authorities, by: .est, at: context.now())
  }

  /// What a certificate request should contain (section 4.5); a server may ask for nothing, or not have
  /// the operation.
  private func attributes(
    _ plain: EnrolmentClient, _ client: EnrolmentClient
  ) async throws(SDKError) -> ESTAttributes {
    let response = try await get(
      "csrattrs", plain, client, expecting: [400, 403, 404, 405, 501])
    guard response.status == 200, !response.body.isEmpty else { return ESTAttributes() }
    return try Self.read("csrattrs", response) { (response) throws(SDKError) in
      try ESTAttributes(der: try EnrolmentClient.der(response))
    }
  }

  /// Gets what a server should give to everybody; some give it only to their clients.
  private func get(
    _ operation: String, _ plain: EnrolmentClient, _ client: EnrolmentClient,
    expecting expected: Set<Int> = []
  ) async throws(SDKError) -> HTTPResponse {
    let response = try await send(
      .get, operation, plain, expecting: client.hasCredential ? expected.union([401]) : expected)
    guard response.status == 401 else { return response }
    return try await send(.get, operation, client, expecting: expected)
  }

  /// Has a certificate issued (section 4.2): waits while the server has not decided.
  private func enroll(
    _ client: EnrolmentClient, _ operation: String, _ request: [UInt8],
    _ attributes: ESTAttributes
  ) async throws(SDKError) -> [Certificate] {
    var waits = RetryAfter(context)
    while true {
      let response: HTTPResponse
      do throws(SDKError) {
        response = try await send(
          .post, operation, client, .base64(request, type: "application/pkcs10"))
      } catch {
        guard error.code == .refused, let names = attributes.unmetAttributes else { throw error }
        throw SDKError(
          error.code, cause: "\(error.message); its csrattrs ask for \(names), which is not sent",
          subject: error.subject, remedy: error.remedy)
      }
      guard response.status == 202 else {
        if response.mediaType?.hasPrefix("multipart/") == true {
          throw SDKError(
            .unsupported,
            cause: "\(operation): the response has a key that the server made (serverkeygen), "
              + "which is not supported")
        }
        return try Self.read(operation, response, EnrolmentClient.certificates)
      }
      try await waits.wait(response)
    }
  }

  /// Reads the response of an operation, which an error names.
  private static func read<Value>(
    _ operation: String, _ response: HTTPResponse,
    _ body: (HTTPResponse) throws(SDKError) -> Value
  ) throws(SDKError) -> Value {
    do throws(SDKError) { return try body(response) } catch { throw error.naming(operation) }
  }

  /// Sends a request of an operation, and follows redirects of the same origin (section 3.2.1).
  private func send(
    _ method: HTTPMethod, _ operation: String, _ client: EnrolmentClient,
    _ body: EnrolmentClient.Body = .none, expecting expected: Set<Int> = []
  ) async throws(SDKError) -> HTTPResponse {
    do throws(SDKError) {
      var url = try self.url(operation)
      for _ in 0...Self.maximumRedirects {
        let response = try await client.send(
          method, url, body, expecting: expected.union(Self.redirects))
        guard Self.redirects.contains(response.status) else { return response }
        guard let target = response.redirectTarget else {
          throw SDKError(.malformedResponse, cause: "the redirect leads to no usable URL")
        }
        guard target.sharesOrigin(with: url) else {
          throw SDKError(
            .policy, cause: "it redirects to \(target.origin): set identity.url if that is right",
            subject: url.host)
        }
        url = target
      }
      throw SDKError(
        .malformedResponse, cause: "more than \(Self.maximumRedirects) redirects",
        subject: url.host)
    } catch {
      throw error.naming(operation)
    }
  }

  private static let redirects: Set<Int> = [301, 302, 307, 308]
  private static let maximumRedirects = 5

  /// An operation of `URL/.well-known/est`, with the label if there is one (section 3.2.2); a URL with a
  /// path is complete.
  private func url(_ operation: String) throws(SDKError) -> HTTPURL {
    var url = try context.profile.required(EnrolmentKeys.url)
    do {
      if ["", "/"].contains(url.path) {
        url = try url.appending("/.well-known/est/\(context.profile[EnrolmentKeys.label] ?? "")")
      }
      return try url.appending(operation)
    } catch {
      throw SDKError(.invalidConfiguration, cause: "identity.url: \(error)")
    }
  }
}

/// What an EST server wants in certificate requests (RFC 7030 section 4.5.2).
struct ESTAttributes: Sendable, Hashable {
  var keyKind: KeyKind?
  private var unmet: [String] = []

  var unmetAttributes: String? { unmet.isEmpty ? nil : unmet.joined(separator: ", ") }

  init() {}

  /// Reads `CsrAttrs`: a sequence of identifiers and attributes.
  init(der: [UInt8]) throws(SDKError) {
    guard let items = DERValue(der)?.children else {
      throw SDKError(
        .malformedResponse, cause: "the server's certificate request attributes are not DER")
    }
    var keys: [(kind: KeyKind?, wish: String)] = []
    for item in items {
      guard item.tag == DERValue.sequence else {
        if let name = Self.unsupported[item.content] { unmet.append(name) }
        continue
      }
      guard let parts = item.children, parts.count == 2, let values = parts[1].children else {
        continue
      }
      switch parts[0].content {
      case Self.ecPublicKey:
        let kind = values.lazy.compactMap { Self.curves[$0.content] }.first.map(KeyKind.ec)
        keys.append((kind, "a key of another curve"))
      case Self.rsaEncryption:
        let kind = values.lazy.compactMap(\.integer).first.flatMap(Self.rsa)
        keys.append((kind, "an RSA key of another size"))
      default:
        if let name = Self.unsupported[parts[0].content] { unmet.append(name) }
      }
    }
    // Of several kinds of keys, the first that can be made.
    keyKind = keys.lazy.compactMap(\.kind).first
    if keyKind == nil { unmet += keys.map(\.wish) }
  }

  /// Attributes that servers require, by the content of their identifier.
  private static let unsupported: [[UInt8]: String] = [
    [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x07]: "challengePassword",
    [0x2B, 0x06, 0x01, 0x01, 0x01, 0x01, 0x16]: "macAddress",
    // RFC 7030 section 4.4.1: they name the key that protects the one that the server makes.
    [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x10, 0x02, 0x25]: "decryptKeyID",
    [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x10, 0x02, 0x36]: "asymmDecryptKeyID",
  ]

  private static func rsa(_ bits: Int) -> KeyKind? {
    (2048...8192).contains(bits) ? .rsa(bits: bits) : nil
  }

  private static let ecPublicKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
  private static let rsaEncryption: [UInt8] = [
    0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01,
  ]
  private static let curves: [[UInt8]: EllipticCurve] = [
    [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]: .p256,
    [0x2B, 0x81, 0x04, 0x00, 0x22]: .p384, [0x2B, 0x81, 0x04, 0x00, 0x23]: .p521,
  ]
}
