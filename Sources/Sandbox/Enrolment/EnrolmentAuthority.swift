/// The authority that issues identities for the gateways: a root and an intermediate of its own.
struct EnrolmentAuthority: Sendable {
  /// A day: identities are short-lived.
  static let lifetime = 24 * 3600

  let authority: Authority

  init(now: Int) throws { authority = try Authority(name: "Sandbox enrolment", now: now) }

  /// The certificates that vouch for identities, the issuing one first.
  var chain: [Certificate] { [authority.intermediate, authority.root] }

  /// Issues the certificate that a request asks for, after it has proved its key.
  func issue(_ request: CertificateRequest, now: Int) throws -> Certificate {
    guard request.isSigned else {
      throw OAuthError.invalidRequest("the signature of the certificate request is not valid")
    }
    return try CertificateTemplate.issue(
      request, validity: now - 300..<now + Self.lifetime, by: authority.intermediate,
      authority.intermediateKey)
  }
}

extension Sandbox {
  /// Whether a certificate is an identity of the enrolment authority: issued, valid, not revoked.
  func accepts(_ certificate: Certificate) -> Bool {
    let issuer = enrolment.authority.intermediate
    return certificate.issuer == issuer.subject && certificate.isSigned(by: issuer)
      && ShownCertificate(certificate).isValid(at: clock())
      && !change { $0.enrolments.isRevoked(certificate) }
  }
}
