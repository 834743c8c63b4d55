public import JSON
package import OpenSSL
public import Primitives

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
    let document = try parsed("the key", bytes)
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

/// A JSON Web Key with its private half (RFC 7517): a secret.
///
/// It describes itself as redacted. Its private half leaves it by ``pem`` and ``secretJSON`` alone.
public struct PrivateJWK: Sendable, Redacted {
  /// The members that may be shown to anyone; of a shared secret, those that describe it.
  public let publicKey: JWK
  /// The private key; `nil` for a shared secret.
  package let key: PrivateKey?

  /// Reads a private key or a shared secret.
  ///
  /// - Parameter json: the members of the key.
  /// - Throws: ``JOSEError`` with the code `malformed` or `keyUnsuitable`: also for numbers that do
  ///   not belong together, and for a public key.
  public init(json: JSON) throws(JOSEError) {
    publicKey = try JWK(json: json)
    let members = json.object?.filter { $0.value != .null } ?? [:]
    guard let parameters = publicKey.publicKey?.parameters else {
      key = nil
      return
    }
    guard Self.isPrivate(json) else {
      throw JOSEError(.keyUnsuitable, "the key is a public key, without its private half")
    }
    key = try joseError { () throws(CryptoError) in
      try PrivateKey(try Self.numbers(parameters, members))
    }
  }

  package init(
    _ key: PrivateKey, kid: String? = nil, algorithm: String? = nil, use: String? = "sig"
  ) throws(JOSEError) {
    let publicKey = try joseError { () throws(CryptoError) in try key.publicKey }
    let bare = try JWK(publicKey, kid: kid, use: use)
    var members = bare.json
    members["alg"] = algorithm.map { .string($0) }
    self.publicKey = try JWK(json: members)
    self.key = key
  }

  /// Makes a new key pair: for `private_key_jwt`, DPoP, or the JWK Set of an issuer.
  ///
  /// - Throws: ``JOSEError`` with the code `cryptoFailure`.
  public static func generate(_ algorithm: KeyPairAlgorithm) throws(JOSEError) -> PrivateJWK {
    let key = try joseError { () throws(CryptoError) in try PrivateKey.generate(algorithm.kind) }
    return try PrivateJWK(key, use: nil)
  }

  /// The private key as PEM PKCS #8, not encrypted: a secret; `nil` for a shared secret.
  public var pem: String? { key?.pem }

  /// Whether a key has private members (RFC 7518 section 6).
  package static func isPrivate(_ json: JSON) -> Bool {
    ["d", "p", "q", "dp", "dq", "qi", "oth", "k"].contains { json[$0] != nil && json[$0] != .null }
  }

  /// All members, the private ones too; `nil` for a shared secret.
  public var secretJSON: JSON? {
    guard let key, let parameters = key.parameters else { return nil }
    let rows: [(String, [UInt8])] =
      switch parameters {
      case .rsa(let numbers):
        [
          ("d", numbers.d), ("p", numbers.p), ("q", numbers.q), ("dp", numbers.dp),
          ("dq", numbers.dq), ("qi", numbers.qi),
        ]
      case .ec(_, _, _, let d), .okp(_, _, let d): [("d", d)]
      }
    let members = JSONObject(rows.map { ($0, .string(Base64URL.encode($1))) })
    return .object((publicKey.json.object ?? [:]).merging(members) { $1 })
  }

  private static func numbers(
    _ parameters: PublicKeyParameters, _ members: JSONObject
  ) throws(CryptoError) -> PrivateKeyParameters {
    func number(_ name: String) throws(CryptoError) -> [UInt8] {
      guard let bytes = members[name]?.string.flatMap({ try? Base64URL.decode($0) }) else {
        throw CryptoError("read the private key", reasons: ["the member '\(name)' is missing"])
      }
      return bytes
    }
    switch parameters {
    case .rsa(let modulus, let exponent):
      guard members["oth"] == nil else {
        throw CryptoError(
          "read the private key", reasons: ["RSA keys with more than two primes are not supported"])
      }
      // RFC 7518 section 6.3.2 allows the exponents alone, but recommends the primes.
      guard ["p", "q", "dp", "dq", "qi"].contains(where: { members[$0] != nil }) else {
        throw CryptoError(
          "read the private key",
          reasons: ["RSA keys without their primes ('p', 'q', 'dp', 'dq', 'qi') are not supported"])
      }
      return .rsa(
        RSANumbers(
          n: modulus, e: exponent, d: try number("d"), p: try number("p"), q: try number("q"),
          dp: try number("dp"), dq: try number("dq"), qi: try number("qi")))
    case .ec(let curve, let x, let y): return .ec(curve, x: x, y: y, d: try number("d"))
    case .okp(let curve, let x): return .okp(curve, x: x, d: try number("d"))
    }
  }
}
