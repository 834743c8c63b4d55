import HTTP
import OpenSSL
import Primitives

/// Enrolment over Secure Transport (RFC 7030).
///
/// Asks for the authorities' certificates and the wanted attributes, makes a key pair, and has its
/// certificate issued; an identity that is renewed shows itself to the server.
struct ESTObtainer: IdentityObtaining {
  let context: EnrolmentContext

  init(_ context: EnrolmentContext) { self.context = context }

  let name = EnrolmentKind.est.rawValue

  func obtain(_ request: IdentityRequest) async throws(SDKError) -> Identity {
    let shown = request.current?.clientCertificate
    let client = EnrolmentClient(context, showing: shown)
    // Section 4.1: the certificates of the authorities.
    let authorities = try EnrolmentClient.certificates(
      try await client.send(.get, try url("cacerts")))
    let key = try EnrolmentKey(
      context, renewing: request.current,
      kind: try await attributes(client).keyKind ?? .ec(.p256),
      subject: "CN=\(context.profile.identityUser ?? request.name.description)")
    let certificates = try await enroll(
      EnrolmentClient(context, showing: shown, try await context.credential()),
      try url(shown == nil ? "simpleenroll" : "simplereenroll"), try key.request())
    return try key.identity(
      request, certificates, authorities: authorities, by: name, at: context.now())
  }

  /// What a certificate request should contain (section 4.5); a server may have no wishes.
  private func attributes(_ client: EnrolmentClient) async throws(SDKError) -> ESTAttributes {
    let response = try await client.send(.get, try url("csrattrs"), expecting: [404])
    guard response.status == 200 else { return ESTAttributes() }
    return try ESTAttributes(der: try EnrolmentClient.der(response))
  }

  /// Has a certificate issued (section 4.2): waits while the server has not decided.
  private func enroll(
    _ client: EnrolmentClient, _ url: HTTPURL, _ request: [UInt8]
  ) async throws(SDKError) -> [Certificate] {
    var waits = RetryAfter(context)
    while true {
      let response = try await client.send(
        .post, url, .base64(request, type: "application/pkcs10"))
      guard response.status == 202 else { return try EnrolmentClient.certificates(response) }
      try await waits.wait(response)
    }
  }

  /// An operation of `URL/.well-known/est`, with the label if there is one (section 3.2.2); a URL with a
  /// path is complete.
  private func url(_ operation: String) throws(SDKError) -> HTTPURL {
    var url = try context.required(\.identityURL)
    do {
      if ["", "/"].contains(url.path) {
        let label = context.profile.identityLabel.map { "/\($0)" } ?? ""
        url = try url.appending("/.well-known/est\(label)")
      }
      return try url.appending(operation)
    } catch {
      throw SDKError(.invalidConfiguration, cause: "identity.url: \(error)")
    }
  }
}
