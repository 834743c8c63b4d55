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
  /// The connection and the times of the handshake.
  package var metrics: TransferMetrics?

  /// Makes a chain.
  package init(
    served: [Certificate], validated: [Certificate], verificationError: String?,
    lacksAuthority: Bool = false
  ) {
    self.served = served
    self.validated = validated
    self.verificationError = verificationError
    self.lacksAuthority = lacksAuthority
  }
}
