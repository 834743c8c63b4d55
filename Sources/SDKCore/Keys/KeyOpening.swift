/// Opens the sealed keys of identities, and the security tokens that have them.
protocol KeyOpening: Sendable {
  /// The identity with its key opened; a person may be asked for a passphrase or a PIN.
  ///
  /// Called before a lock is taken: a person may take longer than others wait for the lock.
  ///
  /// - Throws: ``SDKError/Code/identity`` if the passphrase or PIN is wrong or not given.
  func opened(_ identity: Identity) async throws(SDKError) -> Identity
}
