internal import COpenSSL

extension PrivateKey {
  /// Signs a message; an ECDSA signature is DER.
  package func sign(
    _ message: [UInt8], _ algorithm: SignatureAlgorithm
  ) throws(CryptoError) -> [UInt8] {
    let operation = "sign with the \(kind) key"
    guard algorithm.fits(kind) else {
      throw CryptoError(operation, reasons: ["the algorithm is for another kind of key"])
    }
    ErrorQueue.clear()
    guard let context = crypto.EVP_MD_CTX_new() else { throw CryptoError(draining: operation) }
    defer { crypto.EVP_MD_CTX_free(context) }
    var settings: OpaquePointer?  // <EVP_PKEY_CTX>, owned by the context
    guard crypto.EVP_DigestSignInit(context, &settings, algorithm.digest?.method, nil, raw) == 1,
      let settings, setPadding(of: settings, for: algorithm)
    else { throw CryptoError(draining: operation) }
    var count = 0
    guard crypto.EVP_DigestSign(context, nil, &count, message, message.count) == 1 else {
      throw CryptoError(draining: operation)
    }
    var signature = [UInt8](repeating: 0, count: count)
    guard crypto.EVP_DigestSign(context, &signature, &count, message, message.count) == 1 else {
      throw CryptoError(draining: operation)
    }
    return Array(signature.prefix(count))
  }
}
