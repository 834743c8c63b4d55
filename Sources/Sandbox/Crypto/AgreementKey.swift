import CGnuTLS

/// A key pair for key agreement.
struct AgreementKey: Sendable {
  enum Curve: Sendable {
    case p256
    case x25519
  }

  /// A public key: x and y on P-256, else the 32 bytes of X25519.
  struct Point: Sendable {
    let curve: Curve
    let bytes: [UInt8]

    /// Takes a point; `nil` if it is not on its curve.
    init?(_ curve: Curve, _ bytes: [UInt8]) {
      guard bytes.count == (curve == .p256 ? 64 : 32),
        curve == .x25519 || cgnutls_p256_is_point(bytes) == 1
      else { return nil }
      self.init(curve: curve, bytes: bytes)
    }

    fileprivate init(curve: Curve, bytes: [UInt8]) { (self.curve, self.bytes) = (curve, bytes) }
  }

  let point: Point
  private let secret: [UInt8]

  /// Makes a new key.
  init(_ curve: Curve) {
    var point = [UInt8](repeating: 0, count: curve == .p256 ? 64 : 32)
    var secret: [UInt8]
    repeat {
      secret = Secret.randomBytes(32)
      if curve == .x25519 { cgnutls_x25519_public(secret, &point) }
    } while curve == .p256 && cgnutls_p256_public(secret, &point) != 1
    self.secret = secret
    self.point = Point(curve: curve, bytes: point)
  }

  /// The secret that this key and one on the same curve share; `nil` for a point of small order.
  func shared(with peer: Point) -> [UInt8]? {
    var shared = [UInt8](repeating: 0, count: 32)
    let isValid =
      switch peer.curve {
      case .p256: cgnutls_p256_shared(secret, peer.bytes, &shared)
      case .x25519: cgnutls_x25519_shared(secret, peer.bytes, &shared)
      }
    return isValid == 1 ? shared : nil
  }
}
