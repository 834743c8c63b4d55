internal import JSON
internal import OpenSSL

/// A key that opens encrypted tokens of one algorithm.
///
/// The algorithm belongs to the key, so that no token chooses how it is decrypted.
package struct DecryptionKey: Sendable {
  enum Material: Sendable {
    case privateKey(PrivateKey)
    case secret(SymmetricKey)
  }

  /// How the keys of its tokens are managed.
  package let algorithm: JWEAlgorithm
  /// The public half, its thumbprint as key ID, for the use `enc`; a shared key has none.
  package let publicKey: JWK?
  let material: Material

  /// Makes a new key pair for an algorithm with key pairs: P-256, or RSA with 2048 bits.
  package static func generate(_ algorithm: JWEAlgorithm) throws(JOSEError) -> DecryptionKey {
    guard !algorithm.isSymmetric else {
      throw JOSEError(.keyUnsuitable, "\(algorithm.rawValue) has no key pairs")
    }
    let key: PrivateKey
    do {
      key = try PrivateKey.generate(algorithm.isAgreement ? .ec(.p256) : .rsa(bits: 2048))
    } catch {
      throw JOSEError(error)
    }
    return try DecryptionKey(key, algorithm)
  }

  /// Reads a private key in PEM.
  package init(pem: String, algorithm: JWEAlgorithm) throws(JOSEError) {
    let key = try joseError { () throws(CryptoError) in try PrivateKey(pem: Array(pem.utf8)) }
    try self.init(key, algorithm)
  }

  /// Takes a key that both sides hold.
  package init(secret: [UInt8], algorithm: JWEAlgorithm) throws(JOSEError) {
    if let incompatibility = algorithm.incompatibility(withSecretOf: secret.count) {
      throw JOSEError(.keyUnsuitable, incompatibility)
    }
    self.algorithm = algorithm
    publicKey = nil
    material = .secret(SymmetricKey(bytes: secret))
  }

  /// Takes a key of a file; `nil` if it has no private half.
  ///
  /// - Throws: ``JOSEError`` with the code `keyUnsuitable` if the key is for something else.
  package init?(
    _ entry: KeyFile.Entry, algorithm: JWEAlgorithm, _ encryption: JWEEncryption? = nil
  ) throws(JOSEError) {
    if let incompatibility = entry.jwk.incompatibility(with: algorithm, encryption) {
      throw JOSEError(.keyUnsuitable, incompatibility)
    }
    let operations = entry.jwk.keyOps
    guard operations.map({ $0.contains(where: JWK.decryptionOperations.contains) }) ?? true else {
      throw JOSEError(.keyUnsuitable, "the key is not for decryption (key_ops)")
    }
    if case .secret(let secret) = entry.jwk.material {
      try self.init(secret: secret.bytes, algorithm: algorithm)
    } else if let key = entry.privateKey?.key {
      try self.init(key, algorithm)
    } else {
      return nil
    }
  }

  init(_ key: PrivateKey, _ algorithm: JWEAlgorithm) throws(JOSEError) {
    if let incompatibility = algorithm.incompatibility(with: key.kind) {
      throw JOSEError(.keyUnsuitable, incompatibility)
    }
    let publicKey = try joseError { () throws(CryptoError) in try key.publicKey }
    let bare = try JWK(publicKey, use: "enc")
    let names: JSONObject = [
      "kid": .string(bare.thumbprint), "alg": .string(algorithm.rawValue),
    ]
    self.publicKey = try JWK(
      json: .object((bare.json.object ?? [:]).merging(names, uniquingKeysWith: { $1 })))
    self.algorithm = algorithm
    material = .privateKey(key)
  }

  /// The private key as PEM PKCS #8, not encrypted: a secret; `nil` for a shared key.
  package var pem: String? {
    if case .privateKey(let key) = material { key.pem } else { nil }
  }
}

extension DecryptionKey: Hashable, CustomStringConvertible, CustomReflectable {
  package static func == (left: DecryptionKey, right: DecryptionKey) -> Bool {
    switch (left.material, right.material) {
    case (.secret(let one), .secret(let other)):
      left.algorithm == right.algorithm && one == other
    default: left.algorithm == right.algorithm && left.publicKey == right.publicKey
    }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(algorithm)
    hasher.combine(publicKey)
  }

  /// Redacted: a key may end up in a log.
  package var description: String { "DecryptionKey(‹redacted›)" }

  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
