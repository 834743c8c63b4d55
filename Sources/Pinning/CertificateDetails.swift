package import OpenSSL
public import Primitives
import Synchronization

/// The contents of a certificate, safe to show.
public struct CertificateDetails: Sendable, Hashable {
  /// The subject (RFC 4514).
  public let subject: String
  /// The issuer (RFC 4514).
  public let issuer: String
  /// Where it says that the certificate of its issuer is; `nil` if it does not say.
  public let issuerAddress: String?
  /// The serial number in hexadecimal digits.
  public let serial: String
  /// The first second of its validity.
  public let notBefore: Timestamp
  /// The last second of its validity.
  public let notAfter: Timestamp
  /// The pin of its key.
  public let pin: Pin
  /// The type and size of its key: `RSA 2048 bits`, `EC P-256`, `Ed25519`.
  public let keyType: String?
  /// What the key is in a chain: `leaf`, unless basicConstraints make it an authority.
  public let role: PinRole
  /// SHA-256 of the whole certificate, which is not a pin; empty if unknown.
  public let fingerprint: [UInt8]
  /// The alternative names, each with its kind: `DNS:alice.example.com`.
  public let names: [String]
  /// What its key may be used for: `digitalSignature`, `serverAuth`, …; empty if it does not say.
  public let usages: [String]
  /// The algorithm of the issuer's signature; `nil` if it is not known.
  public let signatureAlgorithm: String?

  package init(
    subject: String, issuer: String, issuerAddress: String? = nil, serial: String = "",
    notBefore: Timestamp, notAfter: Timestamp, pin: Pin, keyType: String? = nil,
    role: PinRole = .leaf, fingerprint: [UInt8] = [], names: [String] = [], usages: [String] = [],
    signatureAlgorithm: String? = nil
  ) {
    (self.subject, self.issuer, self.issuerAddress) = (subject, issuer, issuerAddress)
    (self.serial, self.notBefore, self.notAfter) = (serial, notBefore, notAfter)
    (self.pin, self.keyType, self.role) = (pin, keyType, role)
    (self.fingerprint, self.names, self.usages) = (fingerprint, names, usages)
    self.signatureAlgorithm = signatureAlgorithm
  }
}

extension CertificateDetails {
  package init(_ certificate: Certificate) {
    self.init(
      subject: certificate.subject, issuer: certificate.issuer,
      issuerAddress: certificate.issuerAddress, serial: certificate.serial,
      notBefore: certificate.notBefore, notAfter: certificate.notAfter,
      pin: Pin(of: certificate), keyType: (try? certificate.publicKey)?.kind.description,
      role: PinRole(of: certificate),
      fingerprint: certificate.sha256,
      names: certificate.dnsNames.map { "DNS:\($0)" }
        + certificate.ipAddresses.map { "IP:\($0)" }
        + certificate.emailAddresses.map { "email:\($0)" }
        + certificate.uris.map { "URI:\($0)" },
      usages: certificate.usages, signatureAlgorithm: certificate.signatureAlgorithm)
  }

  /// The fingerprint in hexadecimal digits; `nil` if it is not known.
  public var sha256: String? { fingerprint.isEmpty ? nil : Hex.encode(fingerprint) }

  /// The pins among these that are the fingerprint of this certificate.
  public func mistakes(among pins: [Pin]) -> [PinMistake] {
    ChainKey(subject: subject, pin: pin, role: role, fingerprint: fingerprint).mistakes(among: pins)
  }
}

/// The details of certificates that handshakes have shown, each made once.
///
/// Hosts that are checked together have the same issuers: to read a certificate again takes longer
/// than to compare it.
package final class KnownCertificates: Sendable {
  /// How many are kept; then all are forgotten.
  static let limit = 256

  private let known = Mutex<[[UInt8]: CertificateDetails]>([:])

  package init() {}

  /// How many are kept now.
  var count: Int { known.withLock { $0.count } }

  package func details(of certificate: Certificate) -> CertificateDetails {
    let der = certificate.der
    if let details = known.withLock({ $0[der] }) { return details }
    let details = CertificateDetails(certificate)
    known.withLock { known in
      if known.count >= Self.limit { known.removeAll() }
      known[der] = details
    }
    return details
  }
}
