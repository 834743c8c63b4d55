import OpenSSL

/// What signing and decrypting keys are made of, with errors of this module.
extension PrivateKey {
  /// Reads a private key in PEM.
  static func reading(pem: String) throws(JOSEError) -> PrivateKey {
    do {
      return try PrivateKey(pem: Array(pem.utf8))
    } catch {
      throw JOSEError(error)
    }
  }

  /// The public half.
  var half: PublicKey {
    get throws(JOSEError) {
      do {
        return try publicKey
      } catch {
        throw JOSEError(error)
      }
    }
  }
}
