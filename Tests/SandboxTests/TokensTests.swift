import TestSupport

@testable import Sandbox

@Suite("Signed tokens are good under the key that made them")
struct TokensTests {
  @Test("the thumbprint is the one of RFC 7638 section 3.1")
  func thumbprint() throws {
    let key = try #require(VerificationKey(jwk: Vectors.appendices["thumbprintKey"] ?? .null))
    #expect(key.thumbprint == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
  }

  @Test("a key ring verifies its own tokens until the second rotation")
  func rotates() throws {
    var ring = try KeyRing()
    let key = try #require(ring.current[.es256])
    let token = try #require(JWT(try JWT.make([:], type: "JWT", key: key)))
    #expect(ring.verifies(token))
    try ring.rotate()
    #expect(ring.verifies(token))
    #expect(ring.current[.es256]?.id != key.id)
    try ring.rotate()
    #expect(!ring.verifies(token))
    let unsigned = try #require(JWT(JWT.unsigned([:])))
    #expect(!ring.verifies(unsigned))
  }

  @Test(
    "what is no token is none",
    arguments: [
      "", "a.b", "a.b.c", "e30.e30.e30.e30", "W10.e30.AA", "e30.W10.AA", "e30.e30.A",
      "e30.e30." + String(repeating: "A", count: 32_768),
    ])
  func refuses(text: String) { #expect(JWT(text) == nil) }

  @Test("keys with a private half, and those of odd numbers, are no verification keys")
  func refusesKeys() throws {
    let good = try SigningKey(.es256).publicJWK
    var private_ = try #require(good.object)
    private_["d"] = "AA"
    for jwk in [
      JSON.object(private_), ["kty": "EC", "crv": "P-256"], ["kty": "oct", "k": "AA"],
      ["kty": "RSA", "n": "AQAB", "e": "AQAB"], [:],
      ["kty": "RSA", "n": .string(String(repeating: "_", count: 1368)), "e": "AQAB"],
      ["kty": "EC", "crv": "P-256", "x": good["y"] ?? .null, "y": good["x"] ?? .null],
    ] {
      #expect(VerificationKey(jwk: jwk) == nil)
    }
  }

  @Test("a nonce is accepted for two lifetimes, an identifier once in its time")
  func proofs() {
    var ledger = ProofLedger()
    let first = ledger.currentNonce(now: 1_000)
    let inTime = [
      ledger.accepts(nonce: first, now: 1_119), ledger.accepts(nonce: first, now: 1_200),
    ]
    let second = ledger.currentNonce(now: 1_200)
    let tooLate = [
      ledger.accepts(nonce: first, now: 1_400), ledger.accepts(nonce: "made up", now: 1_400),
    ]
    #expect(inTime == [true, true])
    #expect(second != first)
    #expect(tooLate == [false, false])
    let seen = [
      ledger.isFirst("a", until: 50, now: 0), ledger.isFirst("a", until: 50, now: 49),
      ledger.isFirst("a", until: 90, now: 50),
    ]
    #expect(seen == [true, false, true])
  }
}
