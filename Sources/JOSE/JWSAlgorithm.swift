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

  /// The signature algorithm of its key pairs; `nil` for HMAC.
  var signature: SignatureAlgorithm? { row.signature }

  /// The kind of a new key that signs with it; `nil` for a shared secret.
  var kind: KeyKind? { row.kind }

  /// The one curve of an ECDSA algorithm.
  var curve: EllipticCurve? {
    if case .ec(let curve) = kind { curve } else { nil }
  }

  /// The algorithm that most servers take from such a key; `nil` if it cannot sign.
  static func usual(for kind: KeyKind) -> JWSAlgorithm? {
    [.rs256, .es256, .es384, .es512, .es256k, .edDSA].first { $0.takes(kind) }
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
