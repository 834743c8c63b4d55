import JSON
import Primitives

/// The gateway's key pairs for encrypted payloads, one on each curve.
struct PayloadKey: Sendable {
  private let p256 = AgreementKey(.p256)
  private let x25519 = AgreementKey(.x25519)

  /// The public key on P-256.
  var jwk: JSON { p256.point.jwk }

  /// The public key on X25519, in the vendor's spelling: 64 hexadecimal digits.
  var hex: String { Hex.encode(x25519.point.bytes) }

  /// The secret that the key on the curve of the peer shares with it.
  func shared(with peer: PayloadPeer) -> [UInt8]? {
    (peer.curve == .p256 ? p256 : x25519).shared(with: peer)
  }
}

/// A public key that came in a message.
typealias PayloadPeer = AgreementKey.Point

extension PayloadPeer {
  /// Reads a JWK (RFC 7518 section 6.2.1, RFC 8037 section 2).
  init?(_ jwk: JSON) {
    guard let x = jwk["x"]?.string.flatMap(Base64URL.decode) else { return nil }
    switch (jwk["kty"]?.string, jwk["crv"]?.string) {
    case ("EC", "P-256"):
      guard let y = jwk["y"]?.string.flatMap(Base64URL.decode), x.count == 32 else { return nil }
      self.init(.p256, x + y)
    case ("OKP", "X25519"): self.init(.x25519, x)
    default: return nil
    }
  }

  var jwk: JSON {
    switch curve {
    case .p256:
      [
        "kty": "EC", "crv": "P-256", "x": .string(Base64URL.encode(bytes.prefix(32))),
        "y": .string(Base64URL.encode(bytes.suffix(32))),
      ]
    case .x25519: ["kty": "OKP", "crv": "X25519", "x": .string(Base64URL.encode(bytes))]
    }
  }
}
