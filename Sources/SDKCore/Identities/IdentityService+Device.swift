import OpenSSL
import Primitives

extension IdentityService {
  /// The certificates that a security device has for a key.
  ///
  /// The PIN is asked for if it is needed.
  ///
  /// - Parameter text: the URI of the key (RFC 7512).
  /// - Returns: the certificates.
  /// - Throws: ``SDKError/Code/identity`` if the device has no certificate for the key, or the key
  ///   cannot be opened.
  public func certificates(ofDevice text: String) async throws(SDKError) -> IdentityMaterial {
    try await attempt("could not read the security device") {
      let opened = try await store().openedDevice(try PKCS11URI(device: text))
      let all = try await onBackgroundThread { () throws(SDKError) in
        try attempt {
          try TokenKeys.certificates(opened.uri, module: opened.uri.moduleName, all: true)
        }
      }
      let spki = try? opened.key.publicKey.spki
      guard all.contains(where: { $0.spki == spki }) else {
        throw SDKError(.identity, cause: "it has no certificate for the key")
      }
      return IdentityMaterial(key: nil, certificates: all)
    }
  }
}
