/// Keeps identities by host: the profile's store, or a program's own.
public protocol IdentityStoring: Sendable {
  /// The identity for a host.
  ///
  /// - Parameters:
  ///   - host: the host, normalised.
  ///   - acceptableIssuers: the names of the authorities that the server accepts, each a DER
  ///     `Name`; none if it accepts all.
  /// - Returns: `nil` if there is none for the host and these authorities. An expired one is
  ///   returned if there is no other, so that it can be renewed.
  /// - Throws: ``SDKError`` if the identities cannot be read, or the passphrase is wrong.
  func identity(
    for host: String, acceptableIssuers: [[UInt8]]
  ) async throws(SDKError) -> Identity?

  /// Stores an identity in place of the one of the same name.
  func store(_ identity: Identity, for host: String) async throws(SDKError)

  /// Deletes an identity that the host has refused, for that host at least.
  func delete(_ identity: Identity, for host: String) async throws(SDKError)
}
