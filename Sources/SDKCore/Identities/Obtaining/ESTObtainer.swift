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
    let client = try ESTClient(context, showing: request.current?.clientCertificate)
    let authorities = try await client.authorities()
    let attributes = try await client.attributes()
    let key = try EnrolmentKey(
      context, renewing: request.current, kind: attributes.keyKind ?? .ec(.p256),
      subject: "CN=\(defaultCommonName(request))")
    let certificates = try await client.enroll(
      try key.request(), renewing: request.current != nil)
    return try key.identity(
      request, certificates, authorities: authorities, by: name, at: context.now())
  }

  /// The user, if the profile names one; else the identity.
  private func defaultCommonName(_ request: IdentityRequest) -> String {
    context.profile.identityUser ?? request.name.description
  }
}
