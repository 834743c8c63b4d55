import OpenSSL
import TestSupport

@testable import JOSE

@Suite("A changed encrypted token")
struct EncryptedPropertyTests {
  @Test(
    "is never valid, whichever byte is changed",
    arguments: [
      (JWEAlgorithm.rsaOAEP256, JWEEncryption.a256GCM), (.ecdhES, .a128CBCHS256),
      (.ecdhESA128KW, .a128GCM), (.a256KW, .a256CBCHS512), (.direct, .a256GCM),
    ])
  func bytes(algorithm: JWEAlgorithm, encryption: JWEEncryption) throws {
    let reader = try Reader(algorithm, encryption)
    let signer = try Signer(.edDSA)
    let inner = try signer.sign([:], #"{"exp":2000,"sub":"alice"}"#)
    let token = try JWE.encrypt(Array(inner.utf8), to: reader.published, algorithm, encryption)
    var verifier = TokenVerifier(
      keys: JWKSet(keys: [signer.key]), allowed: [.edDSA], TokenExpectations(now: 1000))
    verifier.decryptionKeys = try Self.file(reader.key)
    #expect(verifier.report(on: token).verdict == .valid)
    // The private operation of RSA is slow: one bit for each byte.
    let bits: [UInt8] = algorithm == .rsaOAEP256 ? [1] : [1, 4, 0x20]
    let bytes = Array(token.utf8)
    for index in bytes.indices {
      for bit in bits {
        var changed = bytes
        changed[index] ^= bit
        let text = String(decoding: changed, as: UTF8.self)
        #expect(verifier.report(on: text).verdict == .invalid, "\(text)")
      }
    }
  }

  private static func file(_ key: DecryptionKey) throws -> KeyFile {
    switch key.material {
    case .secret(let secret):
      let jwk: JSON = ["kty": "oct", "k": .string(Base64URL.encode(secret.bytes))]
      return try KeyFile(Array(jwk.serialized().utf8))
    case .privateKey(let key): return try KeyFile(Array(key.pem.utf8))
    }
  }
}
