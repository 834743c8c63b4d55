internal import OpenSSL

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
}

extension JWEAlgorithm {
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

extension JWEEncryption {
  /// How many bytes its keys have.
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
