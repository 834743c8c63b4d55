internal import JSON
internal import OpenSSL
internal import Primitives

extension JWE {
  /// Decrypts the token.
  ///
  /// All errors of a ciphertext are the same error, so that an attacker who tries
  /// ciphertexts learns nothing about the key (RFC 7516 section 11.5).
  ///
  /// - Parameters:
  ///   - key: the key, whose algorithm the token must name.
  ///   - allowed: how the content may be encrypted.
  /// - Returns: the content; a nested token is a text.
  /// - Throws: ``JOSEError`` with the code `algorithmNotAllowed` or `decryptionFailed`.
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
    let substitute: [UInt8]
    do {
      substitute = try Random.bytes(encryption.keyByteCount)
    } catch {
      throw JOSEError(error)
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
}

extension JWE {
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
}

extension JWE {
  /// How its key is managed.
  ///
  /// - Throws: ``JOSEError`` with the code `unsupported` if that, or how its content is encrypted, is
  ///   not supported.
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
