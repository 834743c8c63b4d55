import JSON

/// The signing keys in use and those kept so that older tokens still verify.
struct KeyRing: Sendable {
  private(set) var current: [SigningKey.Algorithm: SigningKey] = [:]
  private var retired: [SigningKey] = []

  init() throws { try makeCurrent() }

  /// Puts new keys in use; the former ones stay published, the ones before them are dropped.
  mutating func rotate() throws {
    retired = SigningKey.Algorithm.allCases.compactMap { current[$0] }
    try makeCurrent()
  }

  /// Puts new keys in use and publishes none of the former ones any more.
  mutating func replace() throws {
    retired = []
    try makeCurrent()
  }

  /// New keys, but the current one of RSA, which takes a fifth of a second to make.
  func renewed() throws -> KeyRing {
    var ring = self
    ring.retired = []
    for algorithm in SigningKey.Algorithm.allCases where algorithm != .rs256 {
      ring.current[algorithm] = try SigningKey(algorithm)
    }
    return ring
  }

  /// The JWK set (RFC 7517 section 5).
  var published: JSON {
    let keys = SigningKey.Algorithm.allCases.compactMap { current[$0] } + retired
    return ["keys": .array(keys.map(\.publicJWK))]
  }

  /// Whether a token was signed by a key that is still published.
  func verifies(_ token: JWT) -> Bool {
    (Array(current.values) + retired).contains { key in
      key.id == token.header["kid"]?.string && key.algorithm.rawValue == token.algorithm
        && (VerificationKey(jwk: key.publicJWK).map(token.isSigned) ?? false)
    }
  }

  private mutating func makeCurrent() throws {
    for algorithm in SigningKey.Algorithm.allCases {
      current[algorithm] = try SigningKey(algorithm)
    }
  }
}
