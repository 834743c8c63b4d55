package import JSON
import OpenSSL
import Primitives

extension JWE {
  /// Encrypts to a public or a shared key, whose key ID goes into the header, and writes the compact form.
  package static func encrypt(
    _ content: [UInt8], to key: JWK, _ algorithm: JWEAlgorithm, _ encryption: JWEEncryption,
    header: JSONObject = [:]
  ) throws(JOSEError) -> String {
    try encrypt(content, to: key, algorithm, encryption, header: header, ephemeral: nil)
  }

  /// Encrypts with ECDH-ES and A256GCM a message to which a response is expected.
  ///
  /// Also returns the key of its header's `epk`, to which the response is encrypted.
  package static func encryptRequest(
    _ content: [UInt8], to key: JWK, header: JSONObject = [:]
  ) throws(JOSEError) -> (token: String, responseKey: DecryptionKey) {
    guard let kind = key.publicKey?.kind else {
      throw JOSEError(.keyUnsuitable, "ECDH-ES does not work with a shared key")
    }
    let ephemeral = try joseError { () throws(CryptoError) in try PrivateKey.generate(kind) }
    let token = try encrypt(
      content, to: key, .ecdhES, .a256GCM, header: header, ephemeral: ephemeral)
    return (token, try DecryptionKey(ephemeral, .ecdhES))
  }

  private static func encrypt(
    _ content: [UInt8], to key: JWK, _ algorithm: JWEAlgorithm, _ encryption: JWEEncryption,
    header: JSONObject, ephemeral: PrivateKey?
  ) throws(JOSEError) -> String {
    if let incompatibility = key.incompatibility(with: algorithm, encryption) {
      throw JOSEError(.keyUnsuitable, incompatibility)
    }
    var header = header
    header["alg"] = .string(algorithm.rawValue)
    header["enc"] = .string(encryption.rawValue)
    if let kid = key.kid { header["kid"] = .string(kid) }
    do {
      let keys = try ContentKeys(for: key, algorithm, encryption, &header, ephemeral)
      let protected = Base64URL.encode(Array(JSON.object(header).serialized().utf8))
      let iv = try Random.bytes(encryption.ivByteCount)
      let sealed = try encryption.seal(
        content, key: keys.content, iv: iv, additional: Array(protected.utf8))
      let parts = [keys.encrypted, iv, sealed.ciphertext, sealed.tag].map { Base64URL.encode($0) }
      return ([protected] + parts).joined(separator: ".")
    } catch let error as CryptoError {
      throw JOSEError(error)
    } catch let error as JOSEError {
      throw error
    } catch {
      throw JOSEError(.cryptoFailure, "could not encrypt")
    }
  }
}

private struct ContentKeys {
  let content: [UInt8]
  let encrypted: [UInt8]

  /// Makes a key; a key agreement adds its ephemeral public key to the header.
  init(
    for key: JWK, _ algorithm: JWEAlgorithm, _ encryption: JWEEncryption,
    _ header: inout JSONObject, _ ephemeral: PrivateKey?
  ) throws {
    let wrapping: [UInt8]
    switch key.material {
    case .secret(let secret): wrapping = secret.bytes
    case .publicKey(let key):
      if let digest = algorithm.oaepDigest {
        content = try Random.bytes(encryption.keyByteCount)
        encrypted = try key.encryptOAEP(content, digest)
        return
      }
      let ephemeral = try ephemeral ?? PrivateKey.generate(key.kind)
      header["epk"] = .object(JWK.Material.publicKey(try ephemeral.publicKey).members)
      let secret = try ephemeral.sharedSecret(with: key)
      wrapping = try ConcatKDF.derive(from: secret, .object(header), algorithm, encryption)
    }
    if algorithm.wrappingByteCount == nil {
      guard wrapping.count == encryption.keyByteCount else {
        throw JOSEError(
          .keyUnsuitable, "the length of the shared key does not fit \(encryption.rawValue)")
      }
      content = wrapping
      encrypted = []
    } else {
      content = try Random.bytes(encryption.keyByteCount)
      encrypted = try AES.wrap(content, with: wrapping)
    }
  }
}

extension JWK {
  /// Why the key cannot be used to encrypt with the algorithm; `nil` if it can.
  ///
  /// The `alg` of a key that encrypts the content itself names the encryption (RFC 7520 section
  /// 5.6).
  package func incompatibility(
    with algorithm: JWEAlgorithm, _ encryption: JWEEncryption? = nil
  ) -> String? {
    let isForContent =
      algorithm == .direct && encryption.map { sameIdentifier(alg, $0.rawValue) } ?? false
    if let alg, !isForContent, !sameIdentifier(alg, algorithm.rawValue) {
      return "the key is for \(quoted(alg)), not for \(algorithm.rawValue)"
    }
    if let use, use != "enc" { return "the key is for the use \(quoted(use)), not for encryption" }
    if let keyOps, !keyOps.contains(where: { Self.encryptionOperations.contains($0) }) {
      return "the key is not for encryption (key_ops)"
    }
    return switch material {
    case .publicKey(let key): algorithm.incompatibility(with: key.kind) ?? certificateMismatch
    case .secret(let secret): algorithm.incompatibility(withSecretOf: secret.bytes.count)
    }
  }

  /// Values of `key_ops` for keys that decrypt (RFC 7517 section 4.3).
  static var decryptionOperations: [String] { ["decrypt", "unwrapKey", "deriveKey", "deriveBits"] }

  private static var encryptionOperations: [String] {
    ["encrypt", "wrapKey"] + decryptionOperations
  }
}

extension JWEEncryption {
  /// Encrypts (RFC 7518 sections 5.2.2.1 and 5.3).
  func seal(
    _ plaintext: [UInt8], key: [UInt8], iv: [UInt8], additional: [UInt8]
  ) throws(CryptoError) -> (ciphertext: [UInt8], tag: [UInt8]) {
    guard let digest else {
      return try AES.seal(plaintext, key: key, iv: iv, additional: additional)
    }
    let half = key.count / 2
    let ciphertext = try AES.encryptCBC(plaintext, key: Array(key[half...]), iv: iv)
    return (ciphertext, try mac(of: ciphertext, key: Array(key[..<half]), iv, additional, digest))
  }

  /// Decrypts; `nil` for anything that was not encrypted with this key.
  func open(
    _ ciphertext: [UInt8], tag: [UInt8], key: [UInt8], iv: [UInt8], additional: [UInt8]
  ) -> [UInt8]? {
    guard key.count == keyByteCount else { return nil }
    guard let digest else {
      return AES.open(ciphertext, tag: tag, key: key, iv: iv, additional: additional)
    }
    let half = key.count / 2
    // Before decryption: a padding oracle would reveal the plaintext.
    guard let expected = try? mac(of: ciphertext, key: Array(key[..<half]), iv, additional, digest),
      ConstantTime.equal(expected, tag)
    else { return nil }
    return AES.decryptCBC(ciphertext, key: Array(key[half...]), iv: iv)
  }

  private func mac(
    of ciphertext: [UInt8], key: [UInt8], _ iv: [UInt8], _ additional: [UInt8],
    _ digest: DigestAlgorithm
  ) throws(CryptoError) -> [UInt8] {
    let bits = bigEndian(UInt64(additional.count) * 8)
    let code = try HMAC.authenticate(additional + iv + ciphertext + bits, key: key, with: digest)
    return Array(code.prefix(key.count))
  }
}

func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
  withUnsafeBytes(of: number.bigEndian) { Array($0) }
}

/// The key derived from a shared secret (RFC 7518 section 4.6.2: Concat KDF with SHA-256).
enum ConcatKDF {
  static func derive(
    from secret: [UInt8], _ header: JSON, _ algorithm: JWEAlgorithm, _ encryption: JWEEncryption
  ) throws(JOSEError) -> [UInt8] {
    let byteCount = algorithm.wrappingByteCount ?? encryption.keyByteCount
    let purpose = algorithm == .ecdhES ? encryption.rawValue : algorithm.rawValue
    let information =
      field(Array(purpose.utf8)) + field(try party("apu", of: header))
      + field(try party("apv", of: header)) + bigEndian(UInt32(byteCount * 8))
    var key: [UInt8] = []
    var round: UInt32 = 1
    while key.count < byteCount {
      let input = bigEndian(round) + secret + information
      key += try joseError { () throws(CryptoError) in try Digest.sha256(input) }
      round += 1
    }
    return Array(key.prefix(byteCount))
  }

  private static func field(_ bytes: [UInt8]) -> [UInt8] { bigEndian(UInt32(bytes.count)) + bytes }

  private static func party(_ name: String, of header: JSON) throws(JOSEError) -> [UInt8] {
    guard let text = try headerText(name, of: header) else { return [] }
    return try Base64URL.decode(text)
  }
}
