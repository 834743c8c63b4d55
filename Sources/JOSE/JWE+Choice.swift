internal import Primitives

extension JWEAlgorithm {
  /// The algorithm of the key's `alg`; for a key without one, the one that works with its type and length.
  ///
  /// - Throws: ``JOSEError`` with the code `keyUnsuitable` if nothing can be encrypted to the key.
  package static func usual(for key: JWK) throws(JOSEError) -> JWEAlgorithm {
    if let named = key.alg.flatMap({ JWEAlgorithm(identifier: $0) }) { return named }
    let isForContent = key.alg.flatMap { JWEEncryption(identifier: $0) } != nil
    let choices: [JWEAlgorithm] =
      isForContent ? [.direct] : [.rsaOAEP256, .ecdhESA256KW, .a256KW, .a192KW, .a128KW, .direct]
    let reasons = choices.map { key.incompatibility(with: $0, JWEEncryption.usual(for: key, $0)) }
    guard let index = reasons.firstIndex(of: nil) else {
      throw JOSEError(.keyUnsuitable, reasons.compactMap(\.self).first ?? "it cannot encrypt")
    }
    return choices[index]
  }
}

extension JWEEncryption {
  /// How the content is encrypted if nobody says: with A256GCM, or as the length of the shared key asks for.
  package static func usual(for key: JWK, _ algorithm: JWEAlgorithm) -> JWEEncryption {
    guard algorithm == .direct, case .secret(let secret) = key.material else { return .a256GCM }
    let named = key.alg.flatMap { JWEEncryption(identifier: $0) }
    return named
      ?? [.a256GCM, .a128GCM, .a192GCM, .a192CBCHS384, .a256CBCHS512]
      .first { $0.keyByteCount == secret.bytes.count } ?? .a256GCM
  }
}
