import HTTP
import POSIX

/// Files of an identity for other programs.
extension IdentityStore {
  /// Writes key and chain into one PEM file beside the identity, mode 0600, which is replaced
  /// whenever the identity is.
  ///
  /// - Returns: its path.
  /// - Throws: ``SDKError/Code/identity`` if the key is sealed or in a device.
  public func publish(_ identity: Identity) async throws(SDKError) -> String {
    try await locked { () throws(SDKError) in
      let path = file("client.pem", of: identity.name)
      try write(identity, to: path)
      return path.text
    }
  }

  /// Replaces the file of ``publish(_:)`` if there is one, in the lock.
  func refreshFile(of identity: Identity) throws(SDKError) {
    let path = file("client.pem", of: identity.name)
    guard FileStatus.exists(path.text) else { return }
    guard case .pem = identity.key else {
      do {
        return try AtomicFile.remove(path.text)
      } catch {
        throw StoreDocument.failure("remove", path, error)
      }
    }
    try write(identity, to: path)
  }

  private func write(_ identity: Identity, to path: StorePath) throws(SDKError) {
    guard case .pem = identity.key, let certificate = identity.clientCertificate else {
      throw SDKError(
        .identity,
        "could not write the identity '\(identity.name)' for other programs: its key is sealed, "
          + "or in a security device", subject: identity.name.description)
    }
    do throws(SystemError) {
      try path.requireTrusted(.secret)
      // One file, so that key and certificate are always a pair.
      try AtomicFile.write(
        certificate.privateKey + certificate.chain, to: path.text, mode: 0o600)
    } catch {
      throw StoreDocument.failure("write", path, error)
    }
  }
}
