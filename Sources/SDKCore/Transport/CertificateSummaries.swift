import OpenSSL
import Synchronization

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
