internal import OpenSSL
internal import Primitives

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
}

extension JWSAlgorithm {
  var digest: DigestAlgorithm {
    switch self {
    case .hs256, .rs256, .ps256, .es256, .es256k: .sha256
    case .hs384, .rs384, .ps384, .es384: .sha384
    case .hs512, .rs512, .ps512, .es512, .edDSA, .ed25519, .ed448: .sha512
    }
  }

  /// The signature algorithm of its key pairs; `nil` for HMAC.
  var signature: SignatureAlgorithm? {
    switch self {
    case .hs256, .hs384, .hs512: nil
    case .rs256, .rs384, .rs512: .rsaPKCS1(digest)
    case .ps256, .ps384, .ps512: .rsaPSS(digest)
    case .es256, .es384, .es512, .es256k: .ecdsa(digest)
    case .edDSA, .ed25519, .ed448: .eddsa
    }
  }

  /// The one curve of an ECDSA algorithm.
  var curve: EllipticCurve? {
    switch self {
    case .es256: .p256
    case .es384: .p384
    case .es512: .p521
    case .es256k: .secp256k1
    default: nil
    }
  }

  /// The one kind of key that the algorithm works with; `nil` if there are several.
  private var onlyKind: KeyKind? {
    switch self {
    case .ed25519: .ed25519
    case .ed448: .ed448
    default: curve.map { .ec($0) }
    }
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
    guard let signature, signature.fits(kind) else {
      return "\(rawValue) does not work with the key (\(kind))"
    }
    if let onlyKind, onlyKind != kind {
      return "\(rawValue) does not work with the key (\(kind))"
    }
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
