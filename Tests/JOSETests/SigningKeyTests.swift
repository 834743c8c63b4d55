import OpenSSL
import TestSupport

@testable import JOSE

struct SigningKeyTests {
  @Test(
    "a new key signs what its public key verifies, also after it was stored",
    arguments: [JWSAlgorithm.es256, .rs256, .ps256, .edDSA, .es384])
  func signs(algorithm: JWSAlgorithm) throws {
    let key = try SigningKey.generate(algorithm)
    let stored = try SigningKey(pem: key.pem, algorithm: algorithm)
    #expect(stored == key)
    for signer in [key, stored] {
      let jws = try JWS(compact: try signer.sign(header: ["typ": "x"], payload: [1, 2]))
      #expect(jws.algorithm == algorithm)
      #expect(jws.keyID == key.publicKey.thumbprint)
      #expect(jws.payload == [1, 2])
      try jws.verify(with: key.publicKey, allowed: [algorithm])
    }
    #expect(key.publicKey.alg == algorithm.rawValue)
    #expect(key.publicKey.use == "sig")
    #expect(try SigningKey.generate(algorithm) != key)
  }

  @Test(
    "a key without a chosen algorithm gets the usual one",
    arguments: [
      (KeyKind.ec(.p256), JWSAlgorithm.es256), (.ec(.p521), .es512), (.rsa(bits: 2048), .rs256),
      (.ed25519, .edDSA),
    ])
  func usual(kind: KeyKind, algorithm: JWSAlgorithm) throws {
    #expect(try SigningKey(pem: try PrivateKey.generate(kind).pem).algorithm == algorithm)
  }

  @Test("a key that cannot sign, or not so, is refused")
  func unsuitable() throws {
    let agreement = try PrivateKey.generate(.x25519).pem
    #expect(throws: JOSEError(.keyUnsuitable, "a key of the type X25519 cannot sign tokens")) {
      try SigningKey(pem: agreement)
    }
    let curve = try PrivateKey.generate(.ec(.p256)).pem
    for algorithm in [JWSAlgorithm.rs256, .es384, .hs256, .edDSA] {
      expect(.keyUnsuitable) { try SigningKey(pem: curve, algorithm: algorithm) }
    }
    #expect(throws: JOSEError.self) { try SigningKey(pem: "no key") }
    #expect(throws: JOSEError.self) { try SigningKey.generate(.hs256) }
  }

  @Test("a key does not show itself")
  func redacted() throws {
    let key = try SigningKey.generate(.es256)
    var dumped = ""
    dump(key, to: &dumped)
    for text in ["\(key)", String(reflecting: key), dumped] {
      #expect(!text.contains("PRIVATE"))
    }
  }
}
