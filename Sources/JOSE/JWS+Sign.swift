package import JSON
package import OpenSSL

extension JWS {
  /// Signs with a private key and writes the compact form.
  ///
  /// The header gets its `alg` from the algorithm.
  package static func sign(
    header: JSONObject, payload: [UInt8], key: PrivateKey, algorithm: JWSAlgorithm
  ) throws(JOSEError) -> String {
    if let incompatibility = algorithm.incompatibility(with: key.kind) {
      throw JOSEError(.keyUnsuitable, incompatibility)
    }
    guard let how = algorithm.signature else {
      throw JOSEError(.keyUnsuitable, "\(algorithm.rawValue) needs a shared secret")
    }
    let message = signingInput(header, payload, algorithm)
    let signature: [UInt8]
    do {
      signature = try key.sign(Array(message.utf8), how)
    } catch {
      throw JOSEError(error)
    }
    guard let curve = algorithm.curve else { return "\(message).\(Base64URL.encode(signature))" }
    guard let raw = ECDSASignature.raw(der: signature, curve: curve) else {
      throw JOSEError(.cryptoFailure, "could not convert the signature")
    }
    return "\(message).\(Base64URL.encode(raw))"
  }

  /// Authenticates with a shared secret and writes the compact form.
  package static func sign(
    header: JSONObject, payload: [UInt8], secret: [UInt8], algorithm: JWSAlgorithm
  ) throws(JOSEError) -> String {
    if let incompatibility = algorithm.incompatibility(withSecretOf: secret.count) {
      throw JOSEError(.keyUnsuitable, incompatibility)
    }
    let message = signingInput(header, payload, algorithm)
    let code = try joseError { () throws(CryptoError) in
      try HMAC.authenticate(Array(message.utf8), key: secret, with: algorithm.digest)
    }
    return "\(message).\(Base64URL.encode(code))"
  }

  private static func signingInput(
    _ header: JSONObject, _ payload: [UInt8], _ algorithm: JWSAlgorithm
  ) -> String {
    var header = header
    header["alg"] = .string(algorithm.rawValue)
    let text = JSON.object(header).serialized()
    return "\(Base64URL.encode(Array(text.utf8))).\(Base64URL.encode(payload))"
  }
}
