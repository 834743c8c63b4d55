public import JSON
package import OpenSSL
internal import Primitives

/// A JSON Web Key with its private half (RFC 7517): a secret.
///
/// It describes itself as redacted. Its private half leaves it by ``pem`` and ``secretJSON`` alone.
public struct PrivateJWK: Sendable {
  /// The members that may be shown to anyone; of a shared secret, those that describe it.
  public let publicKey: JWK
  /// The private key; `nil` for a shared secret.
  package let key: PrivateKey?

  /// Reads a private key or a shared secret.
  ///
  /// - Parameter json: the members of the key.
  /// - Throws: ``JOSEError`` with the code `malformed` or `keyUnsuitable`: also for numbers that do
  ///   not belong together, and for a public key.
  public init(json: JSON) throws(JOSEError) {
    publicKey = try JWK(json: json)
    let members = json.object?.filter { $0.value != .null } ?? [:]
    guard let parameters = publicKey.publicKey?.parameters else {
      key = nil
      return
    }
    guard Self.isPrivate(json) else {
      throw JOSEError(.keyUnsuitable, "the key is a public key, without its private half")
    }
    key = try joseError { () throws(CryptoError) in
      try PrivateKey(try Self.numbers(parameters, members))
    }
  }

  /// Describes a private key.
  package init(
    _ key: PrivateKey, kid: String? = nil, algorithm: String? = nil, use: String? = "sig"
  ) throws(JOSEError) {
    let publicKey = try joseError { () throws(CryptoError) in try key.publicKey }
    let bare = try JWK(publicKey, kid: kid, use: use)
    var members = bare.json
    members["alg"] = algorithm.map { .string($0) }
    self.publicKey = try JWK(json: members)
    self.key = key
  }

  /// Makes a new key pair: for `private_key_jwt`, DPoP, or the JWK Set of an issuer.
  ///
  /// - Throws: ``JOSEError`` with the code `cryptoFailure`.
  public static func generate(_ algorithm: KeyPairAlgorithm) throws(JOSEError) -> PrivateJWK {
    let key = try joseError { () throws(CryptoError) in try PrivateKey.generate(algorithm.kind) }
    return try PrivateJWK(key, use: nil)
  }

  /// The private key as PEM PKCS #8, not encrypted: a secret; `nil` for a shared secret.
  public var pem: String? { key?.pem }

  /// Whether a key has private members (RFC 7518 section 6).
  package static func isPrivate(_ json: JSON) -> Bool {
    ["d", "p", "q", "dp", "dq", "qi", "oth", "k"].contains { json[$0] != nil && json[$0] != .null }
  }

  /// All members, the private ones too; `nil` for a shared secret.
  public var secretJSON: JSON? {
    guard let key, let parameters = key.parameters else { return nil }
    let rows: [(String, [UInt8])] =
      switch parameters {
      case .rsa(let numbers):
        [
          ("d", numbers.d), ("p", numbers.p), ("q", numbers.q), ("dp", numbers.dp),
          ("dq", numbers.dq), ("qi", numbers.qi),
        ]
      case .ec(_, _, _, let d), .okp(_, _, let d): [("d", d)]
      }
    let members = JSONObject(rows.map { ($0, .string(Base64URL.encode($1))) })
    return .object((publicKey.json.object ?? [:]).merging(members) { $1 })
  }

  private static func numbers(
    _ parameters: PublicKeyParameters, _ members: JSONObject
  ) throws(CryptoError) -> PrivateKeyParameters {
    func number(_ name: String) throws(CryptoError) -> [UInt8] {
      guard let bytes = members[name]?.string.flatMap({ try? Base64URL.decode($0) }) else {
        throw CryptoError("read the private key", reasons: ["the member '\(name)' is missing"])
      }
      return bytes
    }
    switch parameters {
    case .rsa(let modulus, let exponent):
      guard members["oth"] == nil else {
        throw CryptoError(
          "read the private key", reasons: ["RSA keys with more than two primes are not supported"])
      }
      // RFC 7518 section 6.3.2 allows the exponents alone, but recommends the primes.
      guard ["p", "q", "dp", "dq", "qi"].contains(where: { members[$0] != nil }) else {
        throw CryptoError(
          "read the private key",
          reasons: ["RSA keys without their primes ('p', 'q', 'dp', 'dq', 'qi') are not supported"])
      }
      return .rsa(
        RSANumbers(
          n: modulus, e: exponent, d: try number("d"), p: try number("p"), q: try number("q"),
          dp: try number("dp"), dq: try number("dq"), qi: try number("qi")))
    case .ec(let curve, let x, let y): return .ec(curve, x: x, y: y, d: try number("d"))
    case .okp(let curve, let x): return .okp(curve, x: x, d: try number("d"))
    }
  }
}

extension PrivateJWK: CustomStringConvertible, CustomReflectable {
  /// Redacted: a key may end up in a log.
  public var description: String { "PrivateJWK(‹redacted›)" }

  /// Without members.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
