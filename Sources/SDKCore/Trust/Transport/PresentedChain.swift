import Curl
package import HTTP
public import Pinning
import Primitives

/// What a server showed in a handshake, and what the verification made of it.
public struct PresentedChain: Sendable, Hashable {
  /// The certificates as the server sent them, leaf first.
  public let served: [CertificateDetails]
  /// The path that was validated, leaf to root; empty when none was.
  public let validated: [CertificateDetails]
  /// Why the chain is not trusted; `nil` when it is.
  public internal(set) var verificationError: String?
  /// Whether it is not trusted because no trusted authority has issued it.
  public internal(set) var lacksAuthority = false
  /// What the issuer says about the revocation of the certificate, as the server sent it along; `nil` if the
  /// chain is not trusted.
  public internal(set) var revocation: StapledStatus?
  /// The connection and the times of the handshake.
  package var metrics: TransferMetrics?
}

extension PresentedChain {
  init(_ chain: ServedChain, by known: KnownCertificates) {
    self.init(
      served: chain.served.map(known.details),
      validated: chain.validated.map(known.details),
      verificationError: chain.verificationError, lacksAuthority: chain.lacksAuthority,
      revocation: chain.validated.isEmpty ? nil : StapledStatus(chain), metrics: chain.metrics)
  }

  /// The issuer of the server's certificate, if no trusted authority and none of the certificates that were
  /// sent is it; `nil` otherwise.
  public var missingIssuer: String? {
    guard lacksAuthority, let leaf = served.first,
      !served.contains(where: { sameIdentifier($0.subject, leaf.issuer) })
    else { return nil }
    return leaf.issuer
  }

  /// The keys of the validated path with their roles.
  public var keys: [ChainKey] {
    validated.enumerated().map { index, certificate in
      ChainKey(
        subject: certificate.subject, pin: certificate.pin,
        role: PinRole(position: index, of: validated.count), fingerprint: certificate.fingerprint)
    }
  }
}
