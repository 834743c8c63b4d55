import HTTP
import JSON
import OpenSSL
import Primitives
import SDKCore

/// SAP's certificate discovery: a login yields the attributes of a certificate, a new key requests it.
///
/// The order of the steps is SAP's. The bodies are not public; this is EST's form of them
/// (RFC 7030), with attributes in JSON, of which SAP names one: `subject` (docs/vendors.md).
struct CertificateServiceObtainer: Sendable {
  let context: EnrolmentContext

  func obtain(_ request: IdentityRequest) async throws(SDKError) -> Identity {
    let client = try await client()
    let attributes = try Attributes(
      try await client.send(
        .get, try context.profile.required(EnrolmentKeys.attributesURL)), context)
    let key = try EnrolmentKey(
      context, renewing: request.current, kind: attributes.keyKind ?? .rsa(bits: 2048),
      subject: attributes.subject,
      names: attributes.names)
    let response = try await client.send(
      .post, try context.profile.required(EnrolmentKeys.requestURL),
      .base64(try key.request(), type: "application/pkcs10"))
    return try key.identity(
      request, try EnrolmentClient.certificates(response), by: .sap, at: context.now())
  }

  func retire(_ identity: Identity) async throws(SDKError) {
    guard let url = context.profile[EnrolmentKeys.retireURL] else { return }
    _ = try await client().send(
      .post, url, .base64(identity.chain.leaf.der, type: "application/pkix-cert"))
  }

  private func client() async throws(SDKError) -> EnrolmentClient {
    let slot = context.tokenSlot(of: .sap) ?? .user
    return EnrolmentClient(context, [try await context.token(slot)])
  }

  private struct Attributes {
    let subject: SubjectName
    let names: [String]
    let keyKind: KeyKind?

    init(_ response: HTTPResponse, _ context: EnrolmentContext) throws(SDKError) {
      guard let document = try? JSON(parsing: response.body),
        let text = document["subject"]?.string, !text.isEmpty, let subject = try? SubjectName(text)
      else {
        throw SDKError(
          .malformedResponse,
          cause: "the certificate attributes of \(response.url.host) have no usable subject")
      }
      self.subject = subject
      names = document["subjectAltNames"]?.strings ?? []
      keyKind = document["keySize"]?.int.flatMap { size in
        (2048...8192).contains(size) ? .rsa(bits: Int(size)) : nil
      }
    }
  }
}
