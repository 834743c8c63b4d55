internal import OpenSSL
internal import Primitives

/// An algorithm that key pairs are made for (RFC 7518, RFC 8037).
public struct KeyPairAlgorithm: Sendable, Hashable, CustomStringConvertible {
  /// The value of `alg`.
  public let name: String
  /// The value of `use`: `sig` or `enc`.
  public let use: String
  let kind: KeyKind

  /// The name.
  public var description: String { name }

  /// Finds an algorithm by its name, or a curve of ECDH: `ECDH-ES`, `X25519`.
  ///
  /// - Returns: the algorithm; `nil` if it is unknown, or uses a shared secret.
  public init?(_ name: String) {
    if let algorithm = JWSAlgorithm(identifier: name), let kind = Self.kind(of: algorithm) {
      self.init(name: name, use: "sig", kind: kind)
    } else if sameIdentifier(name, "X25519") {
      self.init(name: "ECDH-ES", use: "enc", kind: .x25519)
    } else if let algorithm = JWEAlgorithm(identifier: name), !algorithm.isSymmetric {
      self.init(name: name, use: "enc", kind: algorithm.isAgreement ? .ec(.p256) : .rsa(bits: 2048))
    } else {
      return nil
    }
  }

  private init(name: String, use: String, kind: KeyKind) {
    self.name = name
    self.use = use
    self.kind = kind
  }

  /// The names that ``init(_:)`` finds.
  public static var names: [String] {
    JWSAlgorithm.allCases.filter { !$0.isSymmetric }.map(\.rawValue)
      + JWEAlgorithm.allCases.filter { !$0.isSymmetric }.map(\.rawValue) + ["X25519"]
  }

  /// The kind of key that signs with an algorithm; `nil` for a shared secret.
  static func kind(of algorithm: JWSAlgorithm) -> KeyKind? {
    switch algorithm {
    case .hs256, .hs384, .hs512: nil
    case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: .rsa(bits: 2048)
    case .es256: .ec(.p256)
    case .es384: .ec(.p384)
    case .es512: .ec(.p521)
    case .es256k: .ec(.secp256k1)
    case .edDSA, .ed25519: .ed25519
    case .ed448: .ed448
    }
  }
}
