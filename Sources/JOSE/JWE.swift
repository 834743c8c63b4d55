public import JSON
internal import OpenSSL
internal import Primitives

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
}
