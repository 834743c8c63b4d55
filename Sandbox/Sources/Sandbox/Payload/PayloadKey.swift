import Crypto

/// The gateway's key pairs for encrypted payloads, one on each curve.
struct PayloadKey: Sendable {
  private let p256 = P256.KeyAgreement.PrivateKey()
  private let x25519 = Curve25519.KeyAgreement.PrivateKey()

  /// The public key on P-256.
  var jwk: JSON { PayloadPeer.p256(p256.publicKey).jwk }

  /// The public key on X25519, in the vendor's spelling: 64 hexadecimal digits.
  var hex: String {
    x25519.publicKey.rawRepresentation.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }

  /// The secret that the key on the curve of the peer shares with it.
  func shared(with peer: PayloadPeer) throws -> SharedSecret {
    switch peer {
    case .p256(let key): try p256.sharedSecretFromKeyAgreement(with: key)
    case .x25519(let key): try x25519.sharedSecretFromKeyAgreement(with: key)
    }
  }
}

/// A public key that came in a message.
enum PayloadPeer: Sendable {
  case p256(P256.KeyAgreement.PublicKey)
  case x25519(Curve25519.KeyAgreement.PublicKey)

  /// Reads a JWK (RFC 7518 section 6.2.1, RFC 8037 section 2).
  init?(_ jwk: JSON) {
    guard let x = jwk["x"]?.string.flatMap(Base64URL.decode) else { return nil }
    switch (jwk["kty"]?.string, jwk["crv"]?.string) {
    case ("EC", "P-256"):
      guard let y = jwk["y"]?.string.flatMap(Base64URL.decode), x.count == 32, y.count == 32,
        let key = try? P256.KeyAgreement.PublicKey(rawRepresentation: x + y)
      else { return nil }
      self = .p256(key)
    case ("OKP", "X25519"):
      guard let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: x) else {
        return nil
      }
      self = .x25519(key)
    default: return nil
    }
  }

  var jwk: JSON {
    switch self {
    case .p256(let key):
      let point = Array(key.rawRepresentation)
      return [
        "kty": "EC", "crv": "P-256", "x": .string(Base64URL.encode(point.prefix(32))),
        "y": .string(Base64URL.encode(point.suffix(32))),
      ]
    case .x25519(let key):
      return [
        "kty": "OKP", "crv": "X25519",
        "x": .string(Base64URL.encode(Array(key.rawRepresentation))),
      ]
    }
  }

  /// A new key pair on the same curve: its public half, and the secret it shares with this key.
  func fresh() throws -> (PayloadPeer, SharedSecret) {
    switch self {
    case .p256(let peer):
      let key = P256.KeyAgreement.PrivateKey()
      return (.p256(key.publicKey), try key.sharedSecretFromKeyAgreement(with: peer))
    case .x25519(let peer):
      let key = Curve25519.KeyAgreement.PrivateKey()
      return (.x25519(key.publicKey), try key.sharedSecretFromKeyAgreement(with: peer))
    }
  }
}
