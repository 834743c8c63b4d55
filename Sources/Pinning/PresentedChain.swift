package import HTTP
package import OpenSSL
public import Primitives

/// What a server showed in a handshake, and what the verification made of it.
public struct PresentedChain: Sendable, Hashable {
  /// The certificates as the server sent them, leaf first.
  public let served: [CertificateDetails]
  /// The path that was validated, leaf to root; empty when none was.
  public let validated: [CertificateDetails]
  /// Why the chain is not trusted; `nil` when it is.
  public let verificationError: String?
  /// Whether it is not trusted because no trusted authority has issued it.
  public let lacksAuthority: Bool
  /// What the issuer says about the revocation of the certificate, as the server sent it along; `nil` if the
  /// chain is not trusted.
  public package(set) var revocation: StapledStatus?
  package var metrics: TransferMetrics?

  package init(
    served: [CertificateDetails], validated: [CertificateDetails], verificationError: String? = nil,
    lacksAuthority: Bool = false, revocation: StapledStatus? = nil, metrics: TransferMetrics? = nil
  ) {
    (self.served, self.validated) = (served, validated)
    (self.verificationError, self.lacksAuthority) = (verificationError, lacksAuthority)
    (self.revocation, self.metrics) = (revocation, metrics)
  }
}

extension PresentedChain {
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

extension PresentedChain {
  /// The pinned keys of the validated path, with the ends of their certificates.
  package func matches(with set: PinSet) -> [(key: PinnedKey, expires: Timestamp)] {
    validated.compactMap { certificate in
      set.keys.first { $0.pin == certificate.pin }.map { ($0, certificate.notAfter) }
    }
  }
}

/// What the issuer of a certificate says about its revocation, in the OCSP response that a server has stapled
/// (RFC 6066 section 8).
public struct StapledStatus: Sendable, Hashable {
  /// The states of a certificate.
  public enum State: String, Sendable, Hashable, CaseIterable {
    /// Not revoked.
    case good
    /// Revoked.
    case revoked
    /// The issuer does not know the certificate.
    case unknown
    /// The server sent no response.
    case none
    /// The response cannot be used: nobody may sign it, it is outdated, or it is about something else.
    case invalid
  }

  /// The state.
  public let state: State
  /// When the response was made; `nil` without one that can be used.
  public let updated: Timestamp?
  /// When the next one comes; `nil` if it does not say.
  public let next: Timestamp?
  /// When the certificate was revoked.
  public let revoked: Timestamp?
  /// Why it was revoked (RFC 5280 section 5.3.1), or why the response cannot be used; `nil` if that is not known.
  public let reason: String?

  /// Makes a status.
  public init(
    _ state: State, updated: Timestamp? = nil, next: Timestamp? = nil, revoked: Timestamp? = nil,
    reason: String? = nil
  ) {
    self.state = state
    self.updated = updated
    self.next = next
    self.revoked = revoked
    self.reason = reason
  }

  /// What the verified response of a server says.
  package init(_ status: RevocationStatus) {
    let (updated, next) = (status.updated, status.next)
    switch status.state {
    case .good: self.init(.good, updated: updated, next: next)
    case .unknown: self.init(.unknown, updated: updated, next: next)
    case .revoked(let time, let reason):
      self.init(.revoked, updated: updated, next: next, revoked: time, reason: reason)
    case .invalid(let cause): self.init(.invalid, reason: cause)
    }
  }

  /// The status for people.
  public var text: String {
    let until = next.map { ", the next one on \($0)" } ?? ""
    let response = updated.map { " (OCSP response of \($0)\(until))" } ?? ""
    switch state {
    case .good, .unknown: return state.rawValue + response
    case .revoked:
      let time = revoked.map { " on \($0)" } ?? ""
      return "revoked\(time)\(reason.map { ", \($0)" } ?? "")\(response)"
    case .none: return "none: the server sent no OCSP response"
    case .invalid: return "invalid: the OCSP response cannot be used: \(reason ?? "unknown cause")"
    }
  }
}

/// Whether a check takes the revocation of certificates into account.
public enum RevocationRule: Sendable, Hashable {
  /// It does not.
  case ignored
  /// A revoked certificate is a problem.
  case soft
  /// Anything but a certificate that is known not to be revoked is a problem.
  case required
}
