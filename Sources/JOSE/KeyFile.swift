internal import JSON
internal import OpenSSL
internal import Primitives

/// The keys of a file: JWK, JWK Set, PEM or DER, of keys and certificates.
///
/// A program reads with it the keys that a person or an administrator has given: to verify tokens
/// (``keys``), or to decrypt them (``TokenVerifier/decryptionKeys``).
public struct KeyFile: Sendable {
  /// One key of a file.
  public struct Entry: Sendable {
    /// The public half; of a shared secret, the secret.
    public let jwk: JWK
    /// The key with its private half, if the file has it.
    public let privateKey: PrivateJWK?
    /// The SHA-256 of the certificate that the key comes from (`x5t#S256`), as base64url.
    public let certificateHash: String?
  }

  /// The keys in the order of the file; never empty.
  public let entries: [Entry]

  /// Whether there is a private key or a shared secret.
  public var hasSecret: Bool { entries.contains { $0.privateKey != nil || $0.jwk.kty == "oct" } }

  /// The keys without their private halves.
  public var keys: JWKSet { JWKSet(keys: entries.map(\.jwk)) }

  /// Reads the content of a file.
  ///
  /// - Parameter bytes: the content, with or without a byte order mark. Keys of an unknown type in a JWK
  ///   Set are left out.
  /// - Throws: ``JOSEError`` with the code `malformed` or `keyUnsuitable`, if it has no key, a malformed
  ///   one, or one that is encrypted.
  public init(_ bytes: [UInt8]) throws(JOSEError) {
    let bytes = bytes.starts(with: Self.byteOrderMark) ? Array(bytes.dropFirst(3)) : bytes
    let start = bytes.first { !$0.isSpace }
    entries =
      if start == UInt8(ascii: "{") { try Self.documents(bytes) } else if PEM.isLikely(bytes) {
        try Self.blocks(bytes)
      } else { [try Self.binary(bytes)] }
    guard !entries.isEmpty else { throw Self.nothing }
  }

  private static func documents(_ bytes: [UInt8]) throws(JOSEError) -> [Entry] {
    let document: JSON
    do {
      document = try JSON(parsing: bytes)
    } catch {
      throw JOSEError(.malformed, "the key is not JSON: \(error)")
    }
    guard let keys = document["keys"] else { return [try entry(document)] }
    guard let elements = keys.array else {
      throw JOSEError(.malformed, "the member 'keys' is not an array")
    }
    // RFC 7517 section 5: keys of an unknown type are ignored.
    var cause = JOSEError(.malformed, "the key set is empty")
    let entries = elements.indices.compactMap { index -> Entry? in
      do throws(JOSEError) { return try entry(elements[index]) } catch {
        if index == 0 { cause = error }
        return nil
      }
    }
    if entries.isEmpty { throw cause }
    return entries
  }

  private static func entry(_ document: JSON) throws(JOSEError) -> Entry {
    let isPrivate = PrivateJWK.isPrivate(document)
    return Entry(
      jwk: try JWK(json: document), privateKey: isPrivate ? try PrivateJWK(json: document) : nil,
      certificateHash: nil)
  }

  private static func blocks(_ bytes: [UInt8]) throws(JOSEError) -> [Entry] {
    let blocks = try joseError { () throws(CryptoError) in try PEM.blocks(bytes) }
    var entries: [Entry] = []
    for block in blocks {
      switch block.label {
      case "CERTIFICATE", "X509 CERTIFICATE": entries.append(try certificate(block.bytes))
      case "PUBLIC KEY": entries.append(try publicKey(block.bytes))
      case "RSA PUBLIC KEY": entries.append(try rsaPublicKey(block.bytes))
      case "OPENSSH PRIVATE KEY": throw openSSH
      case let label where label.hasSuffix("PRIVATE KEY"):
        guard !block.isEncrypted else {
          throw JOSEError(.keyUnsuitable, "the private key is encrypted")
        }
        entries.append(try privateKey(block.bytes))
      default: continue
      }
    }
    return entries
  }

  private static func binary(_ bytes: [UInt8]) throws(JOSEError) -> Entry {
    if let entry = try? certificate(bytes) { return entry }
    if let entry = try? publicKey(bytes) { return entry }
    if let entry = try? rsaPublicKey(bytes) { return entry }
    if bytes.starts(with: "ssh-".utf8) || bytes.starts(with: "ecdsa-sha2-".utf8) { throw openSSH }
    guard let entry = try? privateKey(bytes) else { throw nothing }
    return entry
  }

  private static func certificate(_ der: [UInt8]) throws(JOSEError) -> Entry {
    let certificate = try joseError { () throws(CryptoError) in try Certificate(der: der) }
    let key = try joseError { () throws(CryptoError) in try PublicKey(spki: certificate.spki) }
    return Entry(
      jwk: try JWK(key, use: nil), privateKey: nil,
      certificateHash: Base64URL.encode(certificate.sha256))
  }

  private static func publicKey(_ der: [UInt8]) throws(JOSEError) -> Entry {
    try entry(try joseError { () throws(CryptoError) in try PublicKey(spki: der) })
  }

  private static func rsaPublicKey(_ der: [UInt8]) throws(JOSEError) -> Entry {
    try entry(try joseError { () throws(CryptoError) in try PublicKey(pkcs1: der) })
  }

  private static func entry(_ key: PublicKey) throws(JOSEError) -> Entry {
    Entry(jwk: try JWK(key, use: nil), privateKey: nil, certificateHash: nil)
  }

  private static func privateKey(_ der: [UInt8]) throws(JOSEError) -> Entry {
    let key = try joseError { () throws(CryptoError) in try PrivateKey(der: der) }
    let jwk = try PrivateJWK(key, use: nil)
    return Entry(jwk: jwk.publicKey, privateKey: jwk, certificateHash: nil)
  }

  /// What some editors write at the start of a text in UTF-8.
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private static let openSSH = JOSEError(
    .keyUnsuitable, "the key has the form of OpenSSH")

  private static let nothing = JOSEError(
    .malformed, "there is no key: expected JWK, JWK Set, PEM or DER")
}
