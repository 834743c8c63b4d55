import JSON
import OpenSSL
import Testing

@testable import JOSE

@Suite("Weak public keys")
struct WeakKeyTests {
  /// A number whose residues are powers of 65537, as those of keys with the flaw ROCA are.
  private static let modulus = """
    _6OcmFqOIEslLtzDpiGMixVJaVJXFiRwqLPcubBg4ne2odLXbQUYFpm1MBH39T2nDHT6Z58IkS4bu9C9OeuhcmIX\
    3JSOcVB-UTAdbeqF_t6EZn7KUCWf6Zy663ZegrH72KxwI3C0xsUKgYOCqGchX0PxaPfYD-h2zUsQBkvUvVIqB4sl\
    rsCqlPSg9qMrLDxVYxQ6tnOi87s3yRz9U-cehHBAwiPBR0JoOLmtSjqAYlE5LTxWW-TcPXaR2qTvF_eUXxdk8rOV\
    ib7wmGIXq7pa_Pg8zOU7z6y2oWouEO7NYVNvAYnWAQlNAopoOYI-qrlO5TbopJleamHp2uYz8SzNyQ
    """

  @Test("an RSA key with the flaw ROCA is refused, and another one is not")
  func roca() throws {
    let flawed = try JWK(json: ["kty": "RSA", "n": .string(Self.modulus), "e": "AQAB"])
    for algorithm in [JWSAlgorithm.rs256, .ps512] {
      #expect(flawed.incompatibility(with: algorithm)?.contains("CVE-2017-15361") == true)
    }
    #expect(flawed.incompatibility(with: .rsaOAEP256)?.contains("CVE-2017-15361") == true)
    var number = try Base64URL.decode(Self.modulus)
    number[0] ^= 0x10
    let other = try JWK(
      json: ["kty": "RSA", "n": .string(Base64URL.encode(number)), "e": "AQAB"])
    #expect(other.incompatibility(with: .rs256) == nil)
    #expect(try Signer(.rs256).key.incompatibility(with: .rs256) == nil)
  }

  @Test(
    "a point of small order is refused, for which anyone can sign",
    arguments: [
      ("Ed25519", 32, [0x00], 0x00), ("Ed25519", 32, [0x01], 0x00), ("Ed25519", 32, [0x01], 0x80),
      ("Ed448", 57, [0x00], 0x00), ("Ed448", 57, [0x01], 0x00), ("Ed448", 57, [0x01], 0x80),
    ] as [(String, Int, [UInt8], UInt8)])
  func smallOrder(curve: String, count: Int, first: [UInt8], sign: UInt8) throws {
    var point = first + [UInt8](repeating: 0, count: count - first.count)
    point[count - 1] |= sign
    let key = try JWK(
      json: ["kty": "OKP", "crv": .string(curve), "x": .string(Base64URL.encode(point))])
    #expect(key.incompatibility(with: .edDSA) == "the point of the key has a small order")
    // R is the neutral element, and S is 0: valid for every message.
    let signature = [1] + [UInt8](repeating: 0, count: 2 * count - 1)
    let header = Base64URL.encode(Array(#"{"alg":"EdDSA"}"#.utf8))
    let jws = try JWS(compact: "\(header).e30.\(Base64URL.encode(signature))")
    expect(.keyUnsuitable) { try jws.verify(with: key, allowed: [.edDSA]) }
  }

  @Test("no point of small order of Ed25519 has another spelling that is accepted")
  func spellings() throws {
    let prime = [UInt8](repeating: 0xFF, count: 30) + [0x7F]
    for first: UInt8 in [0xEC, 0xED, 0xEE] {
      let key = try? JWK(
        json: ["kty": "OKP", "crv": "Ed25519", "x": .string(Base64URL.encode([first] + prime))])
      #expect(key.map { $0.incompatibility(with: .edDSA) != nil } ?? true)
    }
    for _ in 0..<20 {
      #expect(try Signer(.edDSA).key.incompatibility(with: .edDSA) == nil)
    }
  }
}
