import OpenSSL
public import Pinning
public import Primitives
import Synchronization

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
  public internal(set) var keyType: String?
  /// What the key is in a chain: `leaf`, unless basicConstraints make it an authority.
  public internal(set) var role = PinRole.leaf
  /// SHA-256 of the whole certificate, which is not a pin; empty if unknown.
  public internal(set) var fingerprint: [UInt8] = []
}

extension CertificateSummary {
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

/// The summaries of certificates that handshakes have shown, each made once.
///
/// Hosts that are checked together have the same issuers: to read a certificate again takes longer
/// than to compare it.
final class CertificateSummaries: Sendable {
  /// How many are kept; then all are forgotten.
  private static let limit = 256

  private let known = Mutex<[[UInt8]: CertificateSummary]>([:])

  /// The summary of a certificate.
  func summary(of certificate: Certificate) -> CertificateSummary {
    let der = certificate.der
    if let summary = known.withLock({ $0[der] }) { return summary }
    let summary = CertificateSummary(certificate)
    known.withLock { known in
      if known.count >= Self.limit { known.removeAll() }
      known[der] = summary
    }
    return summary
  }
}
