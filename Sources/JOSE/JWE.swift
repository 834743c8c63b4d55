public import JSON
import OpenSSL
import Primitives

/// An encrypted message in compact form (RFC 7516 section 7.1), parsed but not decrypted.
public struct JWE: Sendable, Hashable {
  /// The protected header, an object.
  public let header: JSON
  /// How its key is managed; `nil` when that is unknown here.
  public let algorithm: JWEAlgorithm?
  /// How its content is encrypted; `nil` when that is unknown here.
  public let encryption: JWEEncryption?
  /// The key ID.
  public let keyID: String?

  let encryptedKey: [UInt8]
  let iv: [UInt8]
  let ciphertext: [UInt8]
  let tag: [UInt8]
  /// The header as it was written, which the tag covers.
  let protected: [UInt8]

  /// Parses an encrypted token.
  ///
  /// - Parameters:
  ///   - compact: five parts of strict base64url, the first an object of distinct members, without
  ///     an unknown critical extension and without compression.
  ///   - maximumByteCount: how long it may be.
  /// - Throws: ``JOSEError`` with the code `tooLarge`, `malformed`, `criticalUnknown` or
  ///   `unsupported`.
  public init(
    compact: String, maximumByteCount: Int = JWS.maximumByteCount
  ) throws(JOSEError) {
    guard compact.utf8.count <= maximumByteCount else {
      throw JOSEError(.tooLarge, "the token has more than \(maximumByteCount) bytes")
    }
    let parts = Array(compact.utf8).split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 5 else {
      throw JOSEError(.malformed, "the token does not have the five parts of a JWE")
    }
    let header = try protectedHeader(try tokenPart("header", parts[0]))
    // A few bytes could decompress to any size, and compression leaks the content.
    guard header["zip"] == nil else {
      throw JOSEError(.unsupported, "the token is compressed, which is not supported")
    }
    algorithm = JWEAlgorithm(identifier: try headerText("alg", of: header) ?? "")
    encryption = JWEEncryption(identifier: try headerText("enc", of: header) ?? "")
    keyID = try headerText("kid", of: header)
    encryptedKey = try tokenPart("encrypted key", parts[1])
    iv = try tokenPart("initialization vector", parts[2])
    ciphertext = try tokenPart("ciphertext", parts[3])
    tag = try tokenPart("tag", parts[4])
    protected = Array(parts[0])
    self.header = header
  }

  /// Whether a text has the five parts of an encrypted token.
  public static func isEncrypted(_ compact: String) -> Bool {
    !SDJWT.hasForm(compact) && compact.utf8.count { $0 == UInt8(ascii: ".") } == 4
  }

  /// Decrypts the token, whose algorithm must be that of the key.
  ///
  /// All errors of a ciphertext are the same error, so that an attacker who tries
  /// ciphertexts learns nothing about the key (RFC 7516 section 11.5).
  package func decrypt(
    with key: DecryptionKey, allowed: Set<JWEEncryption> = Set(JWEEncryption.allCases)
  ) throws(JOSEError) -> [UInt8] {
    let encryption = try encryption(of: key, allowed)
    let contentKey: [UInt8]?
    switch key.material {
    case .secret(let secret):
      contentKey = unwrapped(with: secret.bytes, key.algorithm)
    case .privateKey(let privateKey):
      if let digest = key.algorithm.oaepDigest {
        contentKey = try decrypted(with: privateKey, digest, encryption)
      } else {
        contentKey = try agreed(with: privateKey, key.algorithm, encryption)
      }
    }
    guard let contentKey,
      let content = encryption.open(
        ciphertext, tag: tag, key: contentKey, iv: iv, additional: protected)
    else { throw Self.failure }
    return content
  }

  private func encryption(
    of key: DecryptionKey, _ allowed: Set<JWEEncryption>
  ) throws(JOSEError) -> JWEEncryption {
    guard algorithm == key.algorithm else {
      let name = header["alg"]?.string ?? ""
      throw JOSEError(
        .algorithmNotAllowed,
        name == "RSA1_5"
          ? "the token is encrypted with RSA1_5, which is not safe"
          : "the token is encrypted with \(quoted(name)), not with \(key.algorithm.rawValue)")
    }
    guard let encryption, allowed.contains(encryption) else {
      let name = header["enc"]?.string ?? ""
      throw JOSEError(
        .algorithmNotAllowed, "the content of the token is encrypted with \(quoted(name))")
    }
    return encryption
  }

  private func unwrapped(with key: [UInt8], _ algorithm: JWEAlgorithm) -> [UInt8]? {
    if algorithm.wrappingByteCount != nil { return AES.unwrap(encryptedKey, with: key) }
    return encryptedKey.isEmpty ? key : nil
  }

  /// If the key cannot be decrypted, a random one is used: then decryption fails like any other.
  private func decrypted(
    with key: PrivateKey, _ digest: DigestAlgorithm, _ encryption: JWEEncryption
  ) throws(JOSEError) -> [UInt8] {
    let substitute = try joseError { () throws(CryptoError) in
      try Random.bytes(encryption.keyByteCount)
    }
    let decrypted = key.decryptOAEP(encryptedKey, digest)
    return decrypted?.count == encryption.keyByteCount ? decrypted ?? substitute : substitute
  }

  private func agreed(
    with key: PrivateKey, _ algorithm: JWEAlgorithm, _ encryption: JWEEncryption
  ) throws(JOSEError) -> [UInt8]? {
    guard let ephemeral = header["epk"] else {
      throw JOSEError(.malformed, "the header has no ephemeral key 'epk'")
    }
    // Points outside the curve were refused when the key was read.
    guard let peer = try? JWK(json: fullLength(ephemeral)).publicKey,
      let secret = try? key.sharedSecret(with: peer)
    else { throw Self.failure }
    let derived = try ConcatKDF.derive(from: secret, header, algorithm, encryption)
    return unwrapped(with: derived, algorithm)
  }

  private static let failure = JOSEError(.decryptionFailed, "the token could not be decrypted")

  /// Decrypts with the first key of a file that can.
  ///
  /// - Parameter keys: private keys or shared secrets.
  /// - Returns: the content: claims, or the text of a nested token.
  /// - Throws: ``JOSEError`` with the code `unsupported`, `keyUnsuitable` or `decryptionFailed`.
  public func decrypt(withAnyOf keys: KeyFile) throws(JOSEError) -> [UInt8] {
    let algorithm = try supportedAlgorithm()
    var last = JOSEError(.keyUnsuitable, "the file has no private key or shared secret")
    for entry in keys.entries {
      do throws(JOSEError) {
        guard let key = try DecryptionKey(entry, algorithm: algorithm, encryption) else { continue }
        return try decrypt(with: key)
      } catch {
        last = error
      }
    }
    throw last
  }

  /// How its key is managed, if that and the encryption of its content are supported.
  func supportedAlgorithm() throws(JOSEError) -> JWEAlgorithm {
    guard let algorithm else {
      let name = quoted(header["alg"]?.string ?? "")
      throw JOSEError(.unsupported, "the token is encrypted with \(name), which is not supported")
    }
    guard encryption != nil else {
      let name = quoted(header["enc"]?.string ?? "")
      throw JOSEError(
        .unsupported, "the content of the token is encrypted with \(name), which is not supported")
    }
    return algorithm
  }
}

extension JWEAlgorithm {
  /// The algorithm of the key's `alg`; for a key without one, the one that works with its type and length.
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

/// An ephemeral key whose coordinates have the length of their curve.
///
/// RFC 7518 section 6.2.1.2 requires that, but rhonabwy leaves out leading zeros.
private func fullLength(_ key: JSON) -> JSON {
  guard var members = key.object,
    let curve = members["crv"]?.string.flatMap(EllipticCurve.init(identifier:))
  else { return key }
  for name in ["x", "y"] {
    guard let bytes = members[name]?.string.flatMap({ try? Base64URL.decode($0) }) else { continue }
    let missing = curve.coordinateByteCount - bytes.count
    guard missing > 0 else { continue }
    members[name] = .string(Base64URL.encode([UInt8](repeating: 0, count: missing) + bytes))
  }
  return .object(members)
}
