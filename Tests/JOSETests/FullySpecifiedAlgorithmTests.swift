import OpenSSL
import TestSupport

@testable import JOSE

@Suite("Ed25519 and Ed448 as algorithms (RFC 9864)")
struct FullySpecifiedAlgorithmTests {
  @Test("verify with a key of their curve only")
  func curves() throws {
    let (small, large) = (try Signer(.ed25519), try Signer(.ed448))
    for (signer, name) in [(small, "Ed25519"), (large, "Ed448")] {
      let token = try JWS(compact: signer.sign([:], "x"))
      #expect(token.header["alg"]?.string == name)
      try token.verify(with: signer.key, allowed: JWSAlgorithm.asymmetric)
      expect(.algorithmNotAllowed) { try token.verify(with: signer.key, allowed: [.edDSA]) }
    }
    let token = try JWS(compact: small.sign([:], "x"))
    expect(.keyUnsuitable) { try token.verify(with: large.key, allowed: [.ed25519]) }
    expect(.keyUnsuitable) {
      try token.verify(with: Signer(.es256).key, allowed: JWSAlgorithm.asymmetric)
    }
  }

  @Test(
    "a key may have the old name and the token the new one, or the other way round",
    arguments: [
      (.ed25519, "EdDSA", true), (.edDSA, "Ed25519", true), (.ed25519, "Ed25519", true),
      (.edDSA, "Ed448", false), (.ed25519, "Ed448", false), (.edDSA, "ES256", false),
      (.ed25519, "X", false),
    ] as [(JWSAlgorithm, String, Bool)])
  func names(algorithm: JWSAlgorithm, name: String, isGood: Bool) throws {
    let signer = try Signer(algorithm)
    var members = signer.key.json
    members["alg"] = .string(name)
    let key = try JWK(json: members)
    #expect((key.incompatibility(with: algorithm) == nil) == isGood)
    let jws = try JWS(compact: signer.sign([:], "x"))
    #expect(((try? jws.verify(with: key, allowed: [algorithm])) != nil) == isGood)
  }
}
