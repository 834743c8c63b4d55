import OpenSSL
public import Primitives

extension ClientCertificateChain {
  /// The first second of its validity.
  public var notBefore: Timestamp { leaf.notBefore }

  /// The last second of its validity.
  public var notAfter: Timestamp { leaf.notAfter }

  /// Whether that instant is in its validity.
  public func isValid(at now: Timestamp) -> Bool { notBefore <= now && now <= notAfter }

  /// Whether a server with these authorities accepts it.
  ///
  /// Each authority is a DER `Name`; a server that names none accepts all.
  public func isAccepted(by issuers: [[UInt8]]) -> Bool {
    issuers.isEmpty || certificates.contains { $0.isIssued(byAnyOf: issuers) }
  }
}
