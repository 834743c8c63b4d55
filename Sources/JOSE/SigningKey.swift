package import JSON
package import OpenSSL
import Primitives

/// A key pair that makes signed tokens with one algorithm.
///
/// Its private half leaves it only as ``pem``, to be stored.
package struct SigningKey: Sendable {
  package let algorithm: JWSAlgorithm
  /// The private key as PEM PKCS #8, not encrypted: a secret; empty if a security token has it.
  package let pem: String
  /// The URI of a key in a security token (RFC 7512); `nil` for any other.
  package let securityTokenURI: String?
  /// The public half, its thumbprint as key ID (RFC 7638).
  package let publicKey: JWK
  private let key: PrivateKey

  package static func generate(_ algorithm: JWSAlgorithm) throws(JOSEError) -> SigningKey {
    guard let kind = algorithm.kind else {
      throw JOSEError(.algorithmNotAllowed, "'\(algorithm.rawValue)' has no key pairs")
    }
    let key = try joseError { () throws(CryptoError) in try PrivateKey.generate(kind) }
    return try SigningKey(key, algorithm)
  }

  /// Reads a private key in PEM; without an algorithm, the usual one for its kind is taken.
  package init(pem: String, algorithm: JWSAlgorithm? = nil) throws(JOSEError) {
    let key = try joseError { () throws(CryptoError) in try PrivateKey(pem: Array(pem.utf8)) }
    try self.init(key, algorithm)
  }

  /// Uses a key in a security token; without an algorithm, the usual one for its kind.
  package init(
    securityToken key: PrivateKey, uri: String, algorithm: JWSAlgorithm? = nil
  ) throws(JOSEError) {
    try self.init(key, algorithm, securityTokenURI: uri)
  }

  private init(
    _ key: PrivateKey, _ algorithm: JWSAlgorithm?, securityTokenURI: String? = nil
  ) throws(JOSEError) {
    let algorithm = if let algorithm { algorithm } else { try JWSAlgorithm.usual(for: key.kind) }
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

extension SigningKey: Hashable, Redacted {
  package static func == (left: SigningKey, right: SigningKey) -> Bool {
    left.algorithm == right.algorithm && left.publicKey == right.publicKey
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(publicKey) }
}

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
    let key = try joseError { () throws(CryptoError) in
      try PrivateKey.generate(algorithm.isAgreement ? .ec(.p256) : .rsa(bits: 2048))
    }
    return try DecryptionKey(key, algorithm)
  }

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

extension DecryptionKey: Hashable, Redacted {
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
}

/// Base64 in the alphabet for URLs and file names, without padding (RFC 7515 section 2).
public enum Base64URL {
  /// The text for the bytes.
  public static func encode(_ bytes: [UInt8]) -> String { Base64.encode(bytes, alphabet: .url) }

  /// The bytes that the text stands for.
  ///
  /// - Parameter text: no padding, no white space, no bit set behind the last byte:
  ///   bytes have one spelling only.
  /// - Returns: the bytes.
  /// - Throws: ``JOSEError`` with the code `malformed`.
  public static func decode(_ text: some StringProtocol) throws(JOSEError) -> [UInt8] {
    guard let bytes = Base64.decode(text.utf8, alphabet: .url) else {
      throw JOSEError(.malformed, "the text is not base64url")
    }
    return bytes
  }
}
