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

  /// Refuses a private key that is not the certificate's.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` if it belongs to another certificate, or is
  ///   missing.
  public func requireKey(_ material: IdentityMaterial) throws(SDKError) {
    guard let key = material.key, (try? leaf.publicKey) == (try? key.publicKey) else {
      throw SDKError(.invalidRequest, cause: "the certificate is not for the private key")
    }
  }
}
