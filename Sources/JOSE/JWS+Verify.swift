internal import JSON
internal import OpenSSL

extension JWS {
  /// Verifies the signature.
  ///
  /// - Parameters:
  ///   - key: a key that must fit the algorithm in type, curve, size, `alg`, `use` and `key_ops`.
  ///   - allowed: the algorithms that may have been used, whatever the token says.
  /// - Throws: ``JOSEError`` with the code `algorithmNotAllowed`, `keyUnsuitable` or
  ///   `signatureInvalid`.
  public func verify(with key: JWK, allowed: Set<JWSAlgorithm>) throws(JOSEError) {
    let algorithm = try algorithm(from: allowed)
    if let incompatibility = key.incompatibility(with: algorithm) {
      throw JOSEError(.keyUnsuitable, incompatibility)
    }
    guard isSigned(by: key, algorithm) else {
      throw JOSEError(.signatureInvalid, "the signature is not valid")
    }
  }

  /// The algorithm of the token, when it is one of those allowed.
  func algorithm(from allowed: Set<JWSAlgorithm>) throws(JOSEError) -> JWSAlgorithm {
    guard let algorithm else {
      let name = header["alg"]?.string ?? ""
      let what = name == "none" ? "unsigned" : "signed with the unknown algorithm \(quoted(name))"
      throw JOSEError(.algorithmNotAllowed, "the token is \(what)")
    }
    guard allowed.contains(algorithm) else {
      throw JOSEError(
        .algorithmNotAllowed, "the token is signed with \(algorithm.rawValue), not allowed here")
    }
    return algorithm
  }

  /// Whether the key, which fits the algorithm, made the signature.
  func isSigned(by key: JWK, _ algorithm: JWSAlgorithm) -> Bool {
    compact.withUnsafeBytes { compact in
      let message = UnsafeRawBufferPointer(rebasing: compact[..<signedByteCount])
      switch key.material {
      case .secret(let secret):
        guard algorithm.isSymmetric,
          let code = try? HMAC.authenticate(
            Array(message), key: secret.bytes, with: algorithm.digest)
        else { return false }
        return ConstantTime.equal(code, signature)
      case .publicKey(let key):
        return isSigned(by: key, message, algorithm)
      }
    }
  }

  private func isSigned(
    by key: PublicKey, _ message: UnsafeRawBufferPointer, _ algorithm: JWSAlgorithm
  ) -> Bool {
    guard let how = algorithm.signature else { return false }
    guard let curve = algorithm.curve else {
      return signature.withUnsafeBytes { key.verify(signature: $0, message: message, how) }
    }
    guard let der = ECDSASignature.der(raw: signature, curve: curve) else { return false }
    return der.withUnsafeBytes { key.verify(signature: $0, message: message, how) }
  }
}
