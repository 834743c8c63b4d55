import Primitives

/// Unguessable texts, and how they are compared.
enum Secret {
  /// A text for URLs that carries 256 random bits.
  static func make() -> String { Base64URL.encode(randomBytes(32)) }

  /// A short name that need not be secret.
  static func name(_ prefix: String) -> String { prefix + Hex.encode(randomBytes(8)) }

  static func randomBytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// Equality that takes the same time wherever the texts differ.
  static func same(_ one: String, _ other: String) -> Bool {
    same(Array(one.utf8), Array(other.utf8))
  }

  static func same(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    zip(SHA256.hash(one), SHA256.hash(other)).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  static func sha256(_ text: String) -> [UInt8] { SHA256.hash(Array(text.utf8)) }
}
