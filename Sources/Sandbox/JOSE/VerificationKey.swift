import JSON

/// A public key of a client, read from a JWK: for assertions and proofs.
struct VerificationKey: Sendable {
  /// The JWK thumbprint of the key (RFC 7638).
  let thumbprint: String
  private let key: PublicKey

  /// Reads RSA, P-256 and Ed25519 keys; anything else, and anything with a private half, is none.
  init?(jwk: JSON) {
    guard jwk["d"] == nil else { return nil }
    func bytes(_ member: String) -> [UInt8]? { jwk[member]?.string.flatMap(Base64URL.decode) }
    var hashed: JSONObject = [:]
    let numbers: PublicKey.Numbers
    switch (jwk["kty"]?.string, jwk["crv"]?.string) {
    case ("RSA", _):
      guard let n = bytes("n"), let e = bytes("e"), n.count >= 256, n.count <= 1024 else {
        return nil
      }
      numbers = .rsa(modulus: n, exponent: e)
      hashed = ["e": jwk["e"] ?? .null, "kty": "RSA", "n": jwk["n"] ?? .null]
    case ("EC", "P-256"):
      guard let x = bytes("x"), let y = bytes("y") else { return nil }
      numbers = .p256(x: x, y: y)
      hashed = [
        "crv": "P-256", "kty": "EC", "x": jwk["x"] ?? .null, "y": jwk["y"] ?? .null,
      ]
    case ("OKP", "Ed25519"):
      guard let x = bytes("x") else { return nil }
      numbers = .ed25519(x)
      hashed = ["crv": "Ed25519", "kty": "OKP", "x": jwk["x"] ?? .null]
    default: return nil
    }
    guard let key = try? PublicKey(numbers) else { return nil }
    self.key = key
    thumbprint = Base64URL.encode(SHA256.hash(JSON.object(hashed).serializedBytes()))
  }

  /// Whether the signature is this key's; an algorithm of another kind of key never is.
  func verifies(_ signature: [UInt8], of message: [UInt8], algorithm: String) -> Bool {
    let scheme: PublicKey.Scheme
    switch algorithm {
    case "RS256": scheme = .rsaPKCS1
    case "PS256": scheme = .rsaPSS
    case "ES256": scheme = .ecdsaRaw
    case "EdDSA": scheme = .ed25519
    default: return false
    }
    return key.verifies(signature, of: message, scheme)
  }

  static let algorithms = ["RS256", "PS256", "ES256", "EdDSA"]
}
