import Crypto
import FoundationEssentials
import SwiftASN1
import X509

/// The authority that issues identities for the gateways: a root and an intermediate of its own.
struct EnrolmentAuthority: Sendable {
  /// A day: identities are short-lived.
  static let lifetime: TimeInterval = 24 * 3600

  let authority: Authority

  init(now: Date) throws { authority = try Authority(name: "Sandbox enrolment", now: now) }

  /// The certificates that vouch for identities, the issuing one first.
  var chain: [Certificate] { [authority.intermediate, authority.root] }

  /// Issues the certificate that a request asks for, after it has proved its key.
  func issue(_ request: CertificateSigningRequest, now: Date) throws -> Certificate {
    guard request.publicKey.isValidSignature(request.signature, for: request) else {
      throw OAuthError.invalidRequest("the signature of the certificate request is not valid")
    }
    var extensions = try Certificate.Extensions {
      Critical(BasicConstraints.notCertificateAuthority)
      Critical(KeyUsage(digitalSignature: true))
      try ExtendedKeyUsage([.clientAuth])
    }
    let wanted = request.attributes.lazy.compactMap { try? ExtensionRequest($0) }.first
    if let names = try wanted?.extensions.subjectAlternativeNames {
      try extensions.append(.init(names, critical: false))
    }
    let validity = now - 300..<now + Self.lifetime
    return try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: request.publicKey,
      notValidBefore: validity.lowerBound, notValidAfter: validity.upperBound,
      issuer: authority.intermediate.subject, subject: request.subject,
      signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions,
      issuerPrivateKey: Certificate.PrivateKey(authority.intermediateKey))
  }
}

extension Sandbox {
  /// Whether a certificate is an identity of the enrolment authority: issued, valid, not revoked.
  func accepts(_ certificate: Certificate) -> Bool {
    let now = Date(timeIntervalSince1970: TimeInterval(clock()))
    let key = Certificate.PublicKey(enrolment.authority.intermediateKey.publicKey)
    return certificate.issuer == enrolment.authority.intermediate.subject
      && key.isValidSignature(certificate.signature, for: certificate)
      && certificate.notValidBefore <= now && now <= certificate.notValidAfter
      && !change { $0.enrolments.isRevoked(certificate) }
  }
}
