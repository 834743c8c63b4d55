import OpenSSL
public import Pinning
public import Primitives

/// The main properties of a certificate.
public struct CertificateSummary: Sendable, Hashable {
  /// The subject's distinguished name (RFC 2253).
  public let subject: String
  /// The issuer's distinguished name.
  public let issuer: String
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

  package init(
    subject: String, issuer: String, notBefore: Timestamp, notAfter: Timestamp, pin: Pin,
    keyType: String? = nil, role: PinRole = .leaf, fingerprint: [UInt8] = []
  ) {
    self.subject = subject
    self.issuer = issuer
    self.notBefore = notBefore
    self.notAfter = notAfter
    self.pin = pin
    self.keyType = keyType
    self.role = role
    self.fingerprint = fingerprint
  }

  init(_ certificate: Certificate) {
    self.init(
      subject: certificate.subject, issuer: certificate.issuer,
      notBefore: certificate.notBefore, notAfter: certificate.notAfter,
      pin: Pin(of: certificate), keyType: (try? certificate.publicKey)?.kind.description,
      role: !certificate.isAuthority ? .leaf : certificate.isSelfSigned ? .root : .intermediate,
      fingerprint: certificate.sha256)
  }

  /// The pins among these that are the fingerprint of this certificate.
  public func mistakes(among pins: [Pin]) -> [PinMistake] {
    ChainKey(subject: subject, pin: pin, role: role, fingerprint: fingerprint).mistakes(among: pins)
  }
}
