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
    if let algorithm = JWSAlgorithm(identifier: name), let kind = algorithm.kind {
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
}
