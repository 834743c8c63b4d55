internal import JSON
internal import OpenSSL

/// The key derived from a shared secret (RFC 7518 section 4.6.2: Concat KDF with SHA-256).
enum ConcatKDF {
  /// - Parameters:
  ///   - secret: the result of the key agreement.
  ///   - header: the header, for `apu` and `apv`.
  ///   - algorithm: how the key is managed.
  ///   - encryption: how the content is encrypted.
  /// - Returns: the key that wraps, or encrypts the content.
  /// - Throws: ``JOSEError`` with the code `malformed` if `apu` or `apv` is not base64url.
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
