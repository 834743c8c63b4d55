internal import COpenSSL

extension PublicKey {
  /// Whether this key made the signature of the message.
  ///
  /// An algorithm of another kind of key, a signature of another length and a
  /// failure inside libcrypto all mean `false`.
  package func verify(
    signature: [UInt8], message: [UInt8], _ algorithm: SignatureAlgorithm
  ) -> Bool {
    signature.withUnsafeBytes { signature in
      message.withUnsafeBytes { verify(signature: signature, message: $0, algorithm) }
    }
  }

  package func verify(
    signature: UnsafeRawBufferPointer, message: UnsafeRawBufferPointer,
    _ algorithm: SignatureAlgorithm
  ) -> Bool {
    guard algorithm.fits(kind) else { return false }
    // RFC 8017 section 8: exactly as long as the modulus, with leading zeros.
    if case .rsa = kind, signature.count != signatureByteCount { return false }
    ErrorQueue.clear()
    defer { ErrorQueue.clear() }
    guard let context = crypto.EVP_MD_CTX_new() else { return false }
    defer { crypto.EVP_MD_CTX_free(context) }
    var settings: OpaquePointer?  // <EVP_PKEY_CTX>, owned by the context
    guard crypto.EVP_DigestVerifyInit(context, &settings, algorithm.digest?.method, nil, raw) == 1,
      let settings, setPadding(of: settings, for: algorithm)
    else { return false }
    return crypto.EVP_DigestVerify(
      context, signature.bytes, signature.count, message.bytes, message.count) == 1
  }
}

/// Sets the padding of an RSA signature.
func setPadding(of context: OpaquePointer, for algorithm: SignatureAlgorithm) -> Bool {
  switch algorithm {
  case .rsaPKCS1: crypto.EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
  case .rsaPSS(let digest):
    crypto.EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
      && crypto.EVP_PKEY_CTX_set_rsa_mgf1_md(context, digest.method) == 1
      && crypto.EVP_PKEY_CTX_set_rsa_pss_saltlen(context, Int32(digest.byteCount)) == 1
  case .ecdsa, .eddsa: true
  }
}

extension UnsafeRawBufferPointer {
  /// The start as a typed pointer for C.
  var bytes: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}
