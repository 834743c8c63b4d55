internal import COpenSSL

extension PrivateKey {
  /// The secret that two key pairs share (ECDH, RFC 7748).
  ///
  /// - Parameter peer: the other public key, of the same curve.
  /// - Returns: the shared secret, as long as a coordinate of the curve.
  /// - Throws: ``CryptoError`` when the keys do not fit each other, or share nothing.
  package func sharedSecret(with peer: PublicKey) throws(CryptoError) -> [UInt8] {
    let operation = "agree on a key"
    guard kind == peer.kind else {
      throw CryptoError(operation, reasons: ["the keys are of different kinds"])
    }
    ErrorQueue.clear()
    guard let context = crypto.EVP_PKEY_CTX_new_from_pkey(nil, raw, nil) else {
      throw CryptoError(draining: operation)
    }
    defer { crypto.EVP_PKEY_CTX_free(context) }
    var count = 0
    guard crypto.EVP_PKEY_derive_init(context) == 1,
      crypto.EVP_PKEY_derive_set_peer(context, peer.raw) == 1,
      crypto.EVP_PKEY_derive(context, nil, &count) == 1
    else { throw CryptoError(draining: operation) }
    var secret = [UInt8](repeating: 0, count: count)
    guard crypto.EVP_PKEY_derive(context, &secret, &count) == 1 else {
      throw CryptoError(draining: operation)
    }
    return Array(secret.prefix(count))
  }
}
