internal import COpenSSL
internal import Synchronization

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
    ErrorQueue.clear()
    defer { ErrorQueue.clear() }
    guard algorithm.digest != nil else {
      return verifyWhole(signature: signature, message: message)
    }
    // RFC 8017 section 8: exactly as long as the modulus, with leading zeros.
    if case .rsa = kind, signature.count != signatureByteCount { return false }
    guard let verifier = takeVerifier(for: algorithm) else { return false }
    defer { putBack(verifier, for: algorithm) }
    return verifier.verify(signature: signature, message: message)
  }

  /// EdDSA signs the message itself, not a digest.
  private func verifyWhole(
    signature: UnsafeRawBufferPointer, message: UnsafeRawBufferPointer
  ) -> Bool {
    guard let context = EVP_MD_CTX_new() else { return false }
    defer { EVP_MD_CTX_free(context) }
    return EVP_DigestVerifyInit(context, nil, nil, nil, raw) == 1
      && EVP_DigestVerify(
        context, signature.bytes, signature.count, message.bytes, message.count) == 1
  }

  private func takeVerifier(for algorithm: SignatureAlgorithm) -> Verifier? {
    verifiers.withLock { $0[algorithm]?.popLast() } ?? Verifier(key: raw, algorithm: algorithm)
  }

  private func putBack(_ verifier: Verifier, for algorithm: SignatureAlgorithm) {
    verifiers.withLock { $0[algorithm, default: []].append(verifier) }
  }
}

/// A context prepared for one key and algorithm.
// @unchecked: only one thread at a time takes it from the key's pool.
final class Verifier: @unchecked Sendable {
  private let context: OpaquePointer  // <EVP_PKEY_CTX>
  private let digest: DigestAlgorithm
  private let hash: DigestContext

  /// Prepares the verification; `nil` if the key cannot be used for it.
  init?(key: OpaquePointer, algorithm: SignatureAlgorithm) {
    guard let digest = algorithm.digest, let hash = DigestContext(digest),
      let context = EVP_PKEY_CTX_new_from_pkey(nil, key, nil)
    else { return nil }
    guard EVP_PKEY_verify_init(context) == 1, configure(context, for: algorithm, digest) else {
      EVP_PKEY_CTX_free(context)
      return nil
    }
    self.context = context
    self.digest = digest
    self.hash = hash
  }

  deinit { EVP_PKEY_CTX_free(context) }

  /// Whether the key made the signature, which must have the right length, of the message.
  func verify(
    signature: UnsafeRawBufferPointer, message: UnsafeRawBufferPointer
  ) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: digest.byteCount) { output in
      guard hash.digest(message, to: output.baseAddress) else { return false }
      return EVP_PKEY_verify(
        context, signature.bytes, signature.count, output.baseAddress, output.count) == 1
    }
  }
}

/// Sets hash and padding of a context that is to verify.
private func configure(
  _ context: OpaquePointer, for algorithm: SignatureAlgorithm, _ digest: DigestAlgorithm
) -> Bool {
  EVP_PKEY_CTX_set_signature_md(context, digest.method) == 1
    && setPadding(of: context, for: algorithm)
}

/// Sets the padding of an RSA signature.
func setPadding(of context: OpaquePointer, for algorithm: SignatureAlgorithm) -> Bool {
  switch algorithm {
  case .rsaPKCS1: EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
  case .rsaPSS(let digest):
    EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
      && EVP_PKEY_CTX_set_rsa_mgf1_md(context, digest.method) == 1
      && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, Int32(digest.byteCount)) == 1
  case .ecdsa, .eddsa: true
  }
}

extension UnsafeRawBufferPointer {
  /// The start as a typed pointer for C.
  var bytes: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}
