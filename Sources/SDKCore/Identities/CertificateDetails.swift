import JOSE
import OpenSSL
public import Primitives

/// The contents of a certificate, safe to show.
public struct CertificateDetails: Sendable, Hashable {
  /// The subject (RFC 4514).
  public let subject: String
  /// The issuer (RFC 4514).
  public let issuer: String
  /// The serial number in hexadecimal digits.
  public let serial: String
  /// The first second of its validity.
  public let notBefore: Timestamp
  /// The last second of its validity.
  public let notAfter: Timestamp
  /// The type of its key: `EC P-256`, `RSA 2048 bits`.
  public let keyType: String
  /// The SHA-256 of the certificate in hexadecimal digits.
  public let sha256: String
  /// The same as tokens name it: `x5t#S256` (RFC 8705 section 3.1).
  public let thumbprint: String
  /// The alternative names, each with its kind: `DNS:alice.example.com`.
  public let names: [String]

  init(_ certificate: Certificate) {
    subject = certificate.subject
    issuer = certificate.issuer
    serial = certificate.serial
    notBefore = certificate.notBefore
    notAfter = certificate.notAfter
    keyType = (try? certificate.publicKey.kind.description) ?? "unknown"
    sha256 = Hex.encode(certificate.sha256)
    thumbprint = Base64URL.encode(certificate.sha256)
    names =
      certificate.dnsNames.map { "DNS:\($0)" } + certificate.ipAddresses.map { "IP:\($0)" }
      + certificate.emailAddresses.map { "email:\($0)" } + certificate.uris.map { "URI:\($0)" }
  }
}

extension ClientCertificateChain {
  /// The contents of its certificates, the client's own first.
  public var details: [CertificateDetails] { certificates.map { CertificateDetails($0) } }
}
