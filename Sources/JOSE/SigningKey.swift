package import JSON
package import OpenSSL

/// A key pair that makes signed tokens with one algorithm.
///
/// Its private half leaves it only as ``pem``, to be stored.
package struct SigningKey: Sendable {
  /// What it signs with.
  package let algorithm: JWSAlgorithm
  /// The private key as PEM PKCS #8, not encrypted: a secret; empty if a security token has it.
  package let pem: String
  /// The URI of a key in a security token (RFC 7512); `nil` for any other.
  package let securityTokenURI: String?
  /// The public half, its thumbprint as key ID (RFC 7638).
  package let publicKey: JWK
  private let key: PrivateKey

  /// Makes a new key pair for an algorithm with key pairs.
  package static func generate(_ algorithm: JWSAlgorithm) throws(JOSEError) -> SigningKey {
    do {
      guard let kind = algorithm.kind else {
        throw JOSEError(.algorithmNotAllowed, "'\(algorithm.rawValue)' has no key pairs")
      }
      return try SigningKey(try PrivateKey.generate(kind), algorithm)
    } catch let error as CryptoError {
      throw JOSEError(error)
    } catch let error as JOSEError {
      throw error
    } catch {
      throw JOSEError(.cryptoFailure, "could not make a key pair")
    }
  }

  /// Reads a private key in PEM; without an algorithm, the usual one for its kind is taken.
  package init(pem: String, algorithm: JWSAlgorithm? = nil) throws(JOSEError) {
    let key = try joseError { () throws(CryptoError) in try PrivateKey(pem: Array(pem.utf8)) }
    guard let algorithm = algorithm ?? JWSAlgorithm.usual(for: key.kind) else {
      throw JOSEError(.keyUnsuitable, "a key of the type \(key.kind) cannot sign tokens")
    }
    try self.init(key, algorithm)
  }

  /// Uses a key in a security token; without an algorithm, the usual one for its kind.
  package init(
    securityToken key: PrivateKey, uri: String, algorithm: JWSAlgorithm? = nil
  ) throws(JOSEError) {
    guard let algorithm = algorithm ?? JWSAlgorithm.usual(for: key.kind) else {
      throw JOSEError(.keyUnsuitable, "a key of the type \(key.kind) cannot sign tokens")
    }
    try self.init(key, algorithm, securityTokenURI: uri)
  }

  private init(
    _ key: PrivateKey, _ algorithm: JWSAlgorithm, securityTokenURI: String? = nil
  ) throws(JOSEError) {
    if let incompatibility = algorithm.incompatibility(with: key.kind) {
      throw JOSEError(.keyUnsuitable, incompatibility)
    }
    let publicKey = try joseError { () throws(CryptoError) in try key.publicKey }
    let thumbprint = try JWK(publicKey).thumbprint
    self.publicKey = try JWK(publicKey, kid: thumbprint, algorithm: algorithm)
    pem = securityTokenURI == nil ? key.pem : ""
    self.securityTokenURI = securityTokenURI
    self.key = key
    self.algorithm = algorithm
  }

  /// Signs, and writes the compact form; the header names algorithm and key.
  ///
  /// With `embedsKey`, the header holds the public key itself in place of its name.
  package func sign(
    header: JSONObject, payload: [UInt8], embedsKey: Bool = false
  ) throws(JOSEError) -> String {
    var header = header
    if embedsKey {
      header["jwk"] = publicKey.keyAlone
    } else {
      header["kid"] = publicKey.kid.map { .string($0) }
    }
    return try JWS.sign(header: header, payload: payload, key: key, algorithm: algorithm)
  }
}

extension SigningKey: Hashable, CustomStringConvertible, CustomReflectable {
  package static func == (left: SigningKey, right: SigningKey) -> Bool {
    left.algorithm == right.algorithm && left.publicKey == right.publicKey
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(publicKey) }

  /// Redacted: a key may end up in a log.
  package var description: String { "SigningKey(‹redacted›)" }

  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
