package import JSON
package import OpenSSL
internal import Primitives

/// A key that somebody has given to sign tokens with: a private key, or a secret that both sides have.
package struct TokenSigner: Sendable {
  private enum Material: Sendable {
    case privateKey(PrivateKey)
    case secret([UInt8])
  }

  /// What it signs with.
  package let algorithm: JWSAlgorithm
  /// The key ID: that of the key, or the thumbprint of a key pair without one.
  package let kid: String?
  private let material: Material

  /// Takes a key of a file; without an algorithm, that of its `alg`, or the usual one of its kind.
  ///
  /// - Throws: ``JOSEError`` with the code `keyUnsuitable` if it cannot sign, or is for something else.
  package init(_ entry: KeyFile.Entry, algorithm: JWSAlgorithm? = nil) throws(JOSEError) {
    if case .secret = entry.jwk.material {
      try self.init(secret: entry.jwk, algorithm: algorithm)
      return
    }
    guard let key = entry.privateKey?.key else {
      throw JOSEError(.keyUnsuitable, "it is a public key, without its private half")
    }
    let algorithm = try Self.algorithm(algorithm, of: entry.jwk, key.kind)
    if let incompatibility = entry.jwk.incompatibility(with: algorithm, for: "sign") {
      throw JOSEError(.keyUnsuitable, incompatibility)
    }
    self.init(algorithm, kid: entry.jwk.kid ?? entry.jwk.thumbprint, .privateKey(key))
  }

  /// Takes a secret; without an algorithm, that of its `alg`, or HS256.
  ///
  /// - Throws: ``JOSEError`` with the code `keyUnsuitable` if it is too short, or is for something else.
  package init(secret jwk: JWK, algorithm: JWSAlgorithm? = nil) throws(JOSEError) {
    guard case .secret(let secret) = jwk.material else {
      throw JOSEError(.keyUnsuitable, "it is not a secret")
    }
    let algorithm = algorithm ?? jwk.alg.flatMap { JWSAlgorithm(identifier: $0) } ?? .hs256
    if let incompatibility = jwk.incompatibility(with: algorithm, for: "sign") {
      throw JOSEError(.keyUnsuitable, incompatibility)
    }
    self.init(algorithm, kid: jwk.kid, .secret(secret.bytes))
  }

  /// Takes a key in a security token; without an algorithm, the usual one of its kind.
  package init(securityToken key: PrivateKey, algorithm: JWSAlgorithm? = nil) throws(JOSEError) {
    let jwk = try JWK(try joseError { () throws(CryptoError) in try key.publicKey })
    let algorithm = try Self.algorithm(algorithm, of: jwk, key.kind)
    if let incompatibility = algorithm.incompatibility(with: key.kind) {
      throw JOSEError(.keyUnsuitable, incompatibility)
    }
    self.init(algorithm, kid: jwk.thumbprint, .privateKey(key))
  }

  private init(_ algorithm: JWSAlgorithm, kid: String?, _ material: Material) {
    self.algorithm = algorithm
    self.kid = kid
    self.material = material
  }

  private static func algorithm(
    _ chosen: JWSAlgorithm?, of jwk: JWK, _ kind: KeyKind
  ) throws(JOSEError) -> JWSAlgorithm {
    if let chosen { return chosen }
    if let named = jwk.alg.flatMap({ JWSAlgorithm(identifier: $0) }) { return named }
    guard let usual = JWSAlgorithm.usual(for: kind) else {
      throw JOSEError(.keyUnsuitable, "a key of the type \(kind) cannot sign tokens")
    }
    return usual
  }

  /// Another key of the same kind, under the same key ID.
  package func replacingKey() throws(JOSEError) -> TokenSigner {
    do {
      switch material {
      case .privateKey(let key):
        return Self(algorithm, kid: kid, .privateKey(try .generate(key.kind)))
      case .secret(let secret):
        return Self(algorithm, kid: kid, .secret(try Random.bytes(secret.count)))
      }
    } catch {
      throw JOSEError(error)
    }
  }

  /// Signs with the public key, in PEM, as a shared secret: what a server accepts that confuses the two.
  package func confused() throws(JOSEError) -> TokenSigner {
    guard case .privateKey(let key) = material else {
      throw JOSEError(.keyUnsuitable, "a shared secret has no public key")
    }
    let pem = try JWK(try joseError { () throws(CryptoError) in try key.publicKey }).pem ?? ""
    return Self(.hs256, kid: kid, .secret(Array(pem.utf8)))
  }

  /// Signs, and writes the compact form; only `alg` is added to the header.
  package func sign(header: JSONObject, payload: [UInt8]) throws(JOSEError) -> String {
    switch material {
    case .privateKey(let key):
      try JWS.sign(header: header, payload: payload, key: key, algorithm: algorithm)
    case .secret(let secret):
      try JWS.sign(header: header, payload: payload, secret: secret, algorithm: algorithm)
    }
  }
}

extension TokenSigner: CustomStringConvertible, CustomReflectable {
  /// Redacted: a key may end up in a log.
  package var description: String { "TokenSigner(‹redacted›)" }

  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
