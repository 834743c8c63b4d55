import Crypto
import CryptoExtras

/// A private key of the token server, with the name under which its public half is published.
struct SigningKey: Sendable {
  enum Algorithm: String, Sendable, CaseIterable {
    case rs256 = "RS256"
    case es256 = "ES256"
  }

  let id: String
  let algorithm: Algorithm
  private let secret: Half

  private enum Half: Sendable {
    case rsa(_RSA.Signing.PrivateKey)
    case p256(P256.Signing.PrivateKey)
  }

  /// Makes a fresh key.
  init(_ algorithm: Algorithm) throws {
    self.algorithm = algorithm
    switch algorithm {
    case .rs256: secret = .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048))
    case .es256: secret = .p256(P256.Signing.PrivateKey())
    }
    id = Secret.name(algorithm == .rs256 ? "rsa-" : "ec-")
  }

  func sign(_ message: [UInt8]) throws -> [UInt8] {
    switch secret {
    case .rsa(let key):
      let digest = SHA256.hash(data: message)
      return Array(try key.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation)
    case .p256(let key):
      return Array(try key.signature(for: message).rawRepresentation)
    }
  }

  /// The public half as a JWK (RFC 7517).
  var publicJWK: JSON {
    var members: [String: JSON] = [
      "kid": .string(id), "use": "sig", "alg": .string(algorithm.rawValue),
    ]
    switch secret {
    case .rsa(let key):
      members["kty"] = "RSA"
      if let numbers = try? key.publicKey.getKeyPrimitives() {
        members["n"] = .string(Base64URL.encode(numbers.modulus))
        members["e"] = .string(Base64URL.encode(numbers.publicExponent))
      }
    case .p256(let key):
      let point = Array(key.publicKey.rawRepresentation)
      members["kty"] = "EC"
      members["crv"] = "P-256"
      members["x"] = .string(Base64URL.encode(point.prefix(32)))
      members["y"] = .string(Base64URL.encode(point.suffix(32)))
    }
    return .object(members)
  }
}
