import JSON

/// A private key of the token server, with the name under which its public half is published.
struct SigningKey: Sendable {
  enum Algorithm: String, Sendable, CaseIterable {
    case rs256 = "RS256"
    case es256 = "ES256"
  }

  let id: String
  let algorithm: Algorithm
  private let key: PrivateKey

  /// Makes a fresh key.
  init(_ algorithm: Algorithm) throws {
    self.algorithm = algorithm
    key = try PrivateKey(algorithm == .rs256 ? .rsa2048 : .p256)
    id = Secret.name(algorithm == .rs256 ? "rsa-" : "ec-")
  }

  func sign(_ message: [UInt8]) throws -> [UInt8] { try key.sign(message) }

  /// The public half as a JWK (RFC 7517).
  var publicJWK: JSON {
    var members = key.publicKey.jwk?.object ?? [:]
    members["kid"] = .string(id)
    members["use"] = "sig"
    members["alg"] = .string(algorithm.rawValue)
    return .object(members)
  }
}

extension PublicKey {
  /// The key as a JWK, or nothing for kinds that cannot be registered.
  var jwk: JSON? {
    switch numbers {
    case .rsa(let modulus, let exponent):
      [
        "kty": "RSA", "n": .string(Base64URL.encode(modulus)),
        "e": .string(Base64URL.encode(exponent)),
      ]
    case .p256(let x, let y):
      [
        "kty": "EC", "crv": "P-256", "x": .string(Base64URL.encode(x)),
        "y": .string(Base64URL.encode(y)),
      ]
    case .ed25519(let x):
      ["kty": "OKP", "crv": "Ed25519", "x": .string(Base64URL.encode(x))]
    case nil: nil
    }
  }
}
