import Crypto
import CryptoExtras

/// A public key of a client, read from a JWK: for assertions and proofs.
struct VerificationKey: Sendable {
  /// The JWK thumbprint of the key (RFC 7638).
  let thumbprint: String
  private let half: Half

  private enum Half: Sendable {
    case rsa(_RSA.Signing.PublicKey)
    case p256(P256.Signing.PublicKey)
    case ed25519(Curve25519.Signing.PublicKey)
  }

  /// Reads RSA, P-256 and Ed25519 keys; anything else, and anything with a private half, is none.
  init?(jwk: JSON) {
    guard jwk["d"] == nil else { return nil }
    func bytes(_ member: String) -> [UInt8]? { jwk[member]?.string.flatMap(Base64URL.decode) }
    var hashed: [String: JSON] = [:]
    switch (jwk["kty"]?.string, jwk["crv"]?.string) {
    case ("RSA", _):
      guard let n = bytes("n"), let e = bytes("e"), n.count >= 256, n.count <= 1024,
        let key = try? _RSA.Signing.PublicKey(n: n, e: e)
      else { return nil }
      half = .rsa(key)
      hashed = ["e": jwk["e"] ?? .null, "kty": "RSA", "n": jwk["n"] ?? .null]
    case ("EC", "P-256"):
      guard let x = bytes("x"), let y = bytes("y"), x.count == 32, y.count == 32,
        let key = try? P256.Signing.PublicKey(rawRepresentation: x + y)
      else { return nil }
      half = .p256(key)
      hashed = [
        "crv": "P-256", "kty": "EC", "x": jwk["x"] ?? .null, "y": jwk["y"] ?? .null,
      ]
    case ("OKP", "Ed25519"):
      guard let x = bytes("x"), let key = try? Curve25519.Signing.PublicKey(rawRepresentation: x)
      else { return nil }
      half = .ed25519(key)
      hashed = ["crv": "Ed25519", "kty": "OKP", "x": jwk["x"] ?? .null]
    default: return nil
    }
    thumbprint = Base64URL.encode(SHA256.hash(data: JSON.object(hashed).bytes))
  }

  /// Whether the signature is this key's; an algorithm of another kind of key never is.
  func verifies(_ signature: [UInt8], of message: [UInt8], algorithm: String) -> Bool {
    switch (half, algorithm) {
    case (.rsa(let key), "RS256"), (.rsa(let key), "PS256"):
      let padding: _RSA.Signing.Padding = algorithm == "RS256" ? .insecurePKCS1v1_5 : .PSS
      return key.isValidSignature(
        .init(rawRepresentation: signature), for: SHA256.hash(data: message), padding: padding)
    case (.p256(let key), "ES256"):
      guard let value = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else {
        return false
      }
      return key.isValidSignature(value, for: message)
    case (.ed25519(let key), "EdDSA"):
      return key.isValidSignature(signature, for: message)
    default: return false
    }
  }

  static let algorithms = ["RS256", "PS256", "ES256", "EdDSA"]
}
