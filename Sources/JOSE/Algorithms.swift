import OpenSSL
import Primitives

/// The signature algorithms of tokens (RFC 7518 section 3.1, RFC 8037, RFC 9864).
///
/// There is no case for unsigned tokens, so none can be allowed.
public enum JWSAlgorithm: String, Sendable, Hashable, CaseIterable {
  /// HMAC with SHA-256.
  case hs256 = "HS256"
  /// HMAC with SHA-384.
  case hs384 = "HS384"
  /// HMAC with SHA-512.
  case hs512 = "HS512"
  /// RSA PKCS #1 v1.5 with SHA-256.
  case rs256 = "RS256"
  /// RSA PKCS #1 v1.5 with SHA-384.
  case rs384 = "RS384"
  /// RSA PKCS #1 v1.5 with SHA-512.
  case rs512 = "RS512"
  /// RSA PSS with SHA-256.
  case ps256 = "PS256"
  /// RSA PSS with SHA-384.
  case ps384 = "PS384"
  /// RSA PSS with SHA-512.
  case ps512 = "PS512"
  /// ECDSA on P-256 with SHA-256.
  case es256 = "ES256"
  /// ECDSA on P-384 with SHA-384.
  case es384 = "ES384"
  /// ECDSA on P-521 with SHA-512.
  case es512 = "ES512"
  /// ECDSA on secp256k1 with SHA-256 (RFC 8812); only if it is asked for by name.
  case es256k = "ES256K"
  /// Ed25519 or Ed448, as the key says (RFC 8037).
  case edDSA = "EdDSA"
  /// Ed25519 (RFC 9864).
  case ed25519 = "Ed25519"
  /// Ed448 (RFC 9864).
  case ed448 = "Ed448"

  /// Whether the same secret signs and verifies.
  public var isSymmetric: Bool { self == .hs256 || self == .hs384 || self == .hs512 }

  /// The algorithms with key pairs, which can be used with the keys that an issuer publishes.
  ///
  /// ES256K is not one of them: few issuers use it, and RFC 8812 does not recommend it.
  public static let asymmetric = Set(allCases).subtracting([.hs256, .hs384, .hs512, .es256k])

  /// The digest, and of an algorithm with key pairs the signature and the kind of a new key.
  private var row: (digest: DigestAlgorithm, signature: SignatureAlgorithm?, kind: KeyKind?) {
    switch self {
    case .hs256: (.sha256, nil, nil)
    case .hs384: (.sha384, nil, nil)
    case .hs512: (.sha512, nil, nil)
    case .rs256: (.sha256, .rsaPKCS1(.sha256), .rsa(bits: 2048))
    case .rs384: (.sha384, .rsaPKCS1(.sha384), .rsa(bits: 2048))
    case .rs512: (.sha512, .rsaPKCS1(.sha512), .rsa(bits: 2048))
    case .ps256: (.sha256, .rsaPSS(.sha256), .rsa(bits: 2048))
    case .ps384: (.sha384, .rsaPSS(.sha384), .rsa(bits: 2048))
    case .ps512: (.sha512, .rsaPSS(.sha512), .rsa(bits: 2048))
    case .es256: (.sha256, .ecdsa(.sha256), .ec(.p256))
    case .es384: (.sha384, .ecdsa(.sha384), .ec(.p384))
    case .es512: (.sha512, .ecdsa(.sha512), .ec(.p521))
    case .es256k: (.sha256, .ecdsa(.sha256), .ec(.secp256k1))
    case .edDSA, .ed25519: (.sha512, .eddsa, .ed25519)
    case .ed448: (.sha512, .eddsa, .ed448)
    }
  }

  var digest: DigestAlgorithm { row.digest }

  var signature: SignatureAlgorithm? { row.signature }

  /// The kind of a new key that signs with it; `nil` for a shared secret.
  var kind: KeyKind? { row.kind }

  /// The one curve of an ECDSA algorithm.
  var curve: EllipticCurve? {
    if case .ec(let curve) = kind { curve } else { nil }
  }

  /// How many bytes a signature can have.
  package var signatureByteCounts: ClosedRange<Int> {
    if case .rsa? = kind { return 128...2048 }
    if signature == .eddsa { return 64...114 }
    let count = curve.map { 2 * $0.coordinateByteCount } ?? digest.byteCount
    return count...count
  }

  /// The algorithm that most servers take from such a key.
  static func usual(for kind: KeyKind) throws(JOSEError) -> JWSAlgorithm {
    let usual: [JWSAlgorithm] = [.rs256, .es256, .es384, .es512, .es256k, .edDSA]
    guard let algorithm = usual.first(where: { $0.takes(kind) }) else {
      throw JOSEError(.keyUnsuitable, "a key of the type \(kind) cannot sign tokens")
    }
    return algorithm
  }

  /// Whether the algorithm works with keys of that kind, whatever their size.
  private func takes(_ kind: KeyKind) -> Bool {
    guard signature?.fits(kind) == true else { return false }
    if case .rsa = kind { return true }
    return self == .edDSA || self.kind == kind
  }

  /// Whether a key with that value of `alg` is for this algorithm.
  ///
  /// RFC 9864 gave EdDSA a name for each curve: keys and tokens may use the old and the new one.
  func isNamed(_ alg: String, by kind: KeyKind?) -> Bool {
    if sameIdentifier(alg, rawValue) { return true }
    guard signature == .eddsa, let named = JWSAlgorithm(identifier: alg), let kind else {
      return false
    }
    return named.signature == .eddsa && named.incompatibility(with: kind) == nil
  }

  /// Why a key pair of that kind cannot be used; `nil` if it can.
  func incompatibility(with kind: KeyKind) -> String? {
    guard takes(kind) else { return "\(rawValue) does not work with the key (\(kind))" }
    // RFC 7518 sections 3.3 and 3.5.
    if case .rsa(let bits) = kind, bits < 2048 {
      return "the RSA key has \(bits) bits, fewer than the 2048 that \(rawValue) requires"
    }
    return nil
  }

  /// Why a secret of that length cannot be used; `nil` if it can.
  func incompatibility(withSecretOf byteCount: Int) -> String? {
    guard isSymmetric else { return "\(rawValue) does not work with a shared secret" }
    // RFC 7518 section 3.2.
    guard byteCount >= digest.byteCount else {
      return "the secret is shorter than the \(digest.byteCount) bytes that \(rawValue) requires"
    }
    return nil
  }
}

/// How the key of an encrypted token is managed (RFC 7518 section 4.1, RFC 8037).
///
/// RSA1_5 is not supported: an attacker who can try ciphertexts learns the plaintext from how they
/// fail. Neither are passwords (PBES2) and AES-GCM key wrap, which are not needed.
public enum JWEAlgorithm: String, Sendable, Hashable, CaseIterable {
  /// RSA OAEP with SHA-1.
  case rsaOAEP = "RSA-OAEP"
  /// RSA OAEP with SHA-256.
  case rsaOAEP256 = "RSA-OAEP-256"
  /// A key agreed on by ECDH.
  case ecdhES = "ECDH-ES"
  /// ECDH, then AES-128 key wrap.
  case ecdhESA128KW = "ECDH-ES+A128KW"
  /// ECDH, then AES-192 key wrap.
  case ecdhESA192KW = "ECDH-ES+A192KW"
  /// ECDH, then AES-256 key wrap.
  case ecdhESA256KW = "ECDH-ES+A256KW"
  /// AES-128 key wrap with a shared key.
  case a128KW = "A128KW"
  /// AES-192 key wrap with a shared key.
  case a192KW = "A192KW"
  /// AES-256 key wrap with a shared key.
  case a256KW = "A256KW"
  /// The shared key encrypts the content itself.
  case direct = "dir"

  /// Whether both sides hold the same key.
  package var isSymmetric: Bool { [.a128KW, .a192KW, .a256KW, .direct].contains(self) }

  /// Whether the key is agreed on with an ephemeral one.
  var isAgreement: Bool { rawValue.hasPrefix("ECDH-ES") }

  /// The hash of OAEP; `nil` for what is not RSA.
  var oaepDigest: DigestAlgorithm? {
    switch self {
    case .rsaOAEP: .sha1
    case .rsaOAEP256: .sha256
    default: nil
    }
  }

  /// The byte count of the wrapping key; `nil` if no key is wrapped.
  var wrappingByteCount: Int? {
    switch self {
    case .a128KW, .ecdhESA128KW: 16
    case .a192KW, .ecdhESA192KW: 24
    case .a256KW, .ecdhESA256KW: 32
    case .rsaOAEP, .rsaOAEP256, .ecdhES, .direct: nil
    }
  }

  /// Why a key pair of that kind cannot be used; `nil` if it can.
  func incompatibility(with kind: KeyKind) -> String? {
    switch kind {
    case .rsa(let bits) where oaepDigest != nil:
      // RFC 7518 section 4.3.
      bits < 2048 ? "the RSA key has \(bits) bits, fewer than the required 2048" : nil
    case .ec(let curve) where isAgreement && curve != .secp256k1: nil
    case .x25519 where isAgreement: nil
    default: "\(rawValue) does not work with the key (\(kind))"
    }
  }

  /// Why a shared key of that length cannot be used; `nil` if it can.
  func incompatibility(withSecretOf byteCount: Int) -> String? {
    guard isSymmetric else { return "\(rawValue) does not work with a shared key" }
    guard byteCount == wrappingByteCount ?? byteCount else {
      return "the length of the shared key does not fit \(rawValue)"
    }
    return nil
  }
}

/// How the content of an encrypted token is encrypted (RFC 7518 section 5.1).
public enum JWEEncryption: String, Sendable, Hashable, CaseIterable {
  /// AES-128 in CBC mode with HMAC SHA-256.
  case a128CBCHS256 = "A128CBC-HS256"
  /// AES-192 in CBC mode with HMAC SHA-384.
  case a192CBCHS384 = "A192CBC-HS384"
  /// AES-256 in CBC mode with HMAC SHA-512.
  case a256CBCHS512 = "A256CBC-HS512"
  /// AES-128-GCM.
  case a128GCM = "A128GCM"
  /// AES-192-GCM.
  case a192GCM = "A192GCM"
  /// AES-256-GCM.
  case a256GCM = "A256GCM"

  var keyByteCount: Int {
    switch self {
    case .a128GCM: 16
    case .a192GCM: 24
    case .a128CBCHS256, .a256GCM: 32
    case .a192CBCHS384: 48
    case .a256CBCHS512: 64
    }
  }

  /// The hash of its MAC; `nil` for GCM, which needs none.
  var digest: DigestAlgorithm? {
    switch self {
    case .a128CBCHS256: .sha256
    case .a192CBCHS384: .sha384
    case .a256CBCHS512: .sha512
    case .a128GCM, .a192GCM, .a256GCM: nil
    }
  }

  /// How many bytes its initialization vector has.
  var ivByteCount: Int { digest == nil ? 12 : 16 }
}

/// An algorithm that key pairs are made for (RFC 7518, RFC 8037).
public struct KeyPairAlgorithm: Sendable, Hashable, CustomStringConvertible {
  /// The value of `alg`.
  public let name: String
  /// The value of `use`: `sig` or `enc`.
  public let use: String
  let kind: KeyKind

  /// The name.
  public var description: String { name }

  /// Finds an algorithm by its name, or a curve of ECDH: `ECDH-ES`, `X25519`.
  ///
  /// - Returns: the algorithm; `nil` if it is unknown, or uses a shared secret.
  public init?(_ name: String) {
    if let algorithm = JWSAlgorithm(identifier: name), let kind = algorithm.kind {
      self.init(name: name, use: "sig", kind: kind)
    } else if sameIdentifier(name, "X25519") {
      self.init(name: "ECDH-ES", use: "enc", kind: .x25519)
    } else if let algorithm = JWEAlgorithm(identifier: name), !algorithm.isSymmetric {
      self.init(name: name, use: "enc", kind: algorithm.isAgreement ? .ec(.p256) : .rsa(bits: 2048))
    } else {
      return nil
    }
  }

  private init(name: String, use: String, kind: KeyKind) {
    self.name = name
    self.use = use
    self.kind = kind
  }

  /// The names that ``init(_:)`` finds.
  public static var names: [String] {
    JWSAlgorithm.allCases.filter { !$0.isSymmetric }.map(\.rawValue)
      + JWEAlgorithm.allCases.filter { !$0.isSymmetric }.map(\.rawValue) + ["X25519"]
  }
}
