package import HTTP
package import OpenSSL

/// The certificates of a server in a handshake, and the result of their check.
package struct ServedChain: Sendable {
  /// The certificates as they were sent.
  package let served: [Certificate]
  /// The validated path from leaf to root; empty when the check failed.
  package let validated: [Certificate]
  /// Why the chain or the host name was refused; `nil` when they were not.
  package let verificationError: String?
  /// Whether it was refused because no trusted authority has issued it.
  package let lacksAuthority: Bool
  /// The OCSP response that the server sent along (RFC 6066 section 8), in DER; `nil` for none.
  package let staple: [UInt8]?
  /// The connection and the times of the handshake.
  package var metrics: TransferMetrics?

  /// Makes a chain.
  package init(
    served: [Certificate], validated: [Certificate], verificationError: String?,
    lacksAuthority: Bool = false, staple: [UInt8]? = nil
  ) {
    self.staple = staple
    self.served = served
    self.validated = validated
    self.verificationError = verificationError
    self.lacksAuthority = lacksAuthority
  }
}
