import OpenSSL
import TestSupport

@testable import JOSE

struct JWKTests {
  @Test("thumbprints are those of RFC 7638 and RFC 8037")
  func thumbprints() throws {
    #expect(
      try JWK(json: RFCVectors.thumbprintKey).thumbprint
        == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    #expect(
      try JWK(json: RFCVectors.ed25519).thumbprint == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
  }

  @Test("the members of a key are read, and shown again without what is private")
  func members() throws {
    var json = RFCVectors.thumbprintKey
    json["use"] = "sig"
    json["key_ops"] = ["verify"]
    json["x5t"] = "abc"
    let shown = json
    for name in ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "unknown"] { json[name] = "c2VjcmV0" }
    let key = try JWK(json: json)
    #expect(key.json == shown)
    #expect(key.kty == "RSA")
    #expect(key.kid == "2011-04-29")
    #expect(key.use == "sig")
    #expect(key.alg == "RS256")
    #expect(key.keyOps == ["verify"])
    #expect(key.publicKey?.kind == .rsa(bits: 2048))
    #expect(try JWK(json: key.json) == key)
  }

  @Test("a shared secret is not shown")
  func secret() throws {
    let key = try JWK(json: RFCVectors.hmacKey)
    #expect(key.json == ["kty": "oct"])
    #expect(key.kty == "oct")
    #expect(key.publicKey == nil)
    var dumped = ""
    dump(key, to: &dumped)
    for text in ["\(key)", String(reflecting: key), dumped] {
      // The first bytes of the secret, in the spellings of an array and of base64url.
      #expect(!text.contains("3, 35, 53"))
      #expect(!text.contains("AyM1"))
      #expect(!text.contains("- 35"))
    }
    #expect(try key != JWK(json: ["kty": "oct", "k": "AAAA"]))
  }

  @Test(
    "a malformed key is refused",
    arguments: [
      ("[]", JOSEError.Code.malformed), ("{}", .malformed), (#"{"kty":1}"#, .malformed),
      (#"{"kty":"DSA"}"#, .keyUnsuitable), (#"{"kty":"oct"}"#, .malformed),
      (#"{"kty":"oct","k":"AA=="}"#, .malformed), (#"{"kty":"oct","k":1}"#, .malformed),
      (#"{"kty":"oct","k":"AA","kid":1}"#, .malformed),
      (#"{"kty":"oct","k":"AA","use":[]}"#, .malformed),
      (#"{"kty":"oct","k":"AA","alg":{}}"#, .malformed),
      (#"{"kty":"oct","k":"AA","key_ops":"verify"}"#, .malformed),
      (#"{"kty":"oct","k":"AA","key_ops":["verify","verify"]}"#, .malformed),
      (#"{"kty":"RSA","n":"AQAB"}"#, .malformed), (#"{"kty":"RSA","e":"AQAB"}"#, .malformed),
      (#"{"kty":"RSA","n":"AQAB","e":"AQAB"}"#, .keyUnsuitable),
      (#"{"kty":"EC","x":"AA","y":"AA"}"#, .malformed),
      (#"{"kty":"EC","crv":"P-257","x":"AA","y":"AA"}"#, .keyUnsuitable),
      (#"{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}"#, .keyUnsuitable),
      (#"{"kty":"EC","crv":"secp256k1","x":"AA","y":"AA"}"#, .keyUnsuitable),
      (#"{"kty":"OKP","crv":"Ed25519","x":"AA"}"#, .keyUnsuitable),
      (#"{"kty":"OKP","crv":"P-256","x":"AA"}"#, .keyUnsuitable),
      (#"{"kty":"OKP","crv":"Ed25519"}"#, .malformed),
    ])
  func broken(text: String, code: JOSEError.Code) throws {
    let json = try JSON(parsing: text)
    expect(code) { _ = try JWK(json: json) }
  }

  @Test("a point that is not on the curve is refused")
  func offCurve() throws {
    var json = RFCVectors.tokens[2].2
    json["y"] = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a4"
    let broken = json
    expect(.keyUnsuitable) { _ = try JWK(json: broken) }
  }

  @Test("an RSA key below 2048 bits neither verifies nor signs")
  func smallRSA() throws {
    let privateKey = try PrivateKey.generate(.rsa(bits: 1024))
    let key = try JWK(privateKey.publicKey)
    let message = Base64URL.encode(Array(#"{"alg":"RS256"}"#.utf8)) + ".e30"
    let signature = try privateKey.sign(Array(message.utf8), .rsaPKCS1(.sha256))
    let jws = try JWS(compact: "\(message).\(Base64URL.encode(signature))")
    expect(.keyUnsuitable) { try jws.verify(with: key, allowed: [.rs256]) }
    expect(.noMatchingKey) { try JWKSet(keys: [key]).verify(jws, allowed: [.rs256]) }
    expect(.keyUnsuitable) {
      _ = try JWS.sign(header: [:], payload: [], key: privateKey, algorithm: .rs256)
    }
    let incompatibility = try #require(key.incompatibility(with: .rs256))
    #expect(incompatibility.contains("1024"))
  }

  @Test(
    "a secret must be as long as the hash",
    arguments: [(JWSAlgorithm.hs256, 32), (.hs384, 48), (.hs512, 64)])
  func shortSecret(algorithm: JWSAlgorithm, count: Int) throws {
    for (length, fits) in [(0, false), (count - 1, false), (count, true), (count + 1, true)] {
      let secret = [UInt8](repeating: 7, count: length)
      let key = try JWK(json: ["kty": "oct", "k": .string(Base64URL.encode(secret))])
      #expect((key.incompatibility(with: algorithm) == nil) == fits)
      #expect(
        ((try? JWS.sign(header: [:], payload: [], secret: secret, algorithm: algorithm)) != nil)
          == fits)
    }
  }

  @Test("nothing is encrypted to a key that is for signatures")
  func encryptionToSigningKey() throws {
    var members = try #require(RFCVectors.tokens[2].2.object)
    members["alg"] = nil
    #expect(try JWK(json: .object(members)).incompatibility(with: .ecdhES) == nil)
    members["use"] = "sig"
    let key = try JWK(json: .object(members))
    #expect(key.incompatibility(with: .ecdhES)?.contains("not for encryption") == true)
    expect(.keyUnsuitable) { try JWE.encryptRequest([1], to: key) }
  }

  @Test("a key in a security token signs only with an algorithm of its kind")
  func securityTokenAlgorithm() throws {
    let key = try PrivateKey.generate(#require(JWSAlgorithm.es256.kind))
    #expect(try TokenSigner(securityToken: key, algorithm: .es256).algorithm == .es256)
    for algorithm in [JWSAlgorithm.es384, .rs256, .hs256] {
      expect(.keyUnsuitable) { try TokenSigner(securityToken: key, algorithm: algorithm) }
    }
  }

  @Test(
    "a key is used only for its declared use",
    arguments: [
      (#"{}"#, true), (#"{"alg":"ES256"}"#, true), (#"{"alg":"ES384"}"#, false),
      (#"{"alg":"es256"}"#, false), (#"{"use":"sig"}"#, true), (#"{"use":"enc"}"#, false),
      (#"{"key_ops":["verify"]}"#, true), (#"{"key_ops":["sign","verify"]}"#, true),
      (#"{"key_ops":["sign"]}"#, false), (#"{"key_ops":[]}"#, false),
    ])
  func purpose(members: String, fits: Bool) throws {
    let purpose = try #require(try JSON(parsing: members).object)
    let (algorithm, token, json) = RFCVectors.tokens[2]
    let key = try JWK(json: .object(try #require(json.object).merging(purpose) { $1 }))
    let jws = try JWS(compact: token)
    #expect((key.incompatibility(with: algorithm) == nil) == fits)
    if fits {
      try jws.verify(with: key, allowed: [algorithm])
    } else {
      expect(.keyUnsuitable) { try jws.verify(with: key, allowed: [algorithm]) }
    }
  }

  @Test("a key of each type fits the algorithms of its type only")
  func fitness() throws {
    let table: [(KeyKind, Set<JWSAlgorithm>)] = [
      (.rsa(bits: 2048), [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]), (.ec(.p256), [.es256]),
      (.ec(.p384), [.es384]), (.ec(.p521), [.es512]), (.ec(.secp256k1), [.es256k]),
      (.ed25519, [.edDSA, .ed25519]), (.ed448, [.edDSA, .ed448]),
      (.x25519, []), (.x448, []),
    ]
    for (kind, expected) in table {
      let key = try JWK(PrivateKey.generate(kind).publicKey)
      #expect(
        Set(JWSAlgorithm.allCases.filter { key.incompatibility(with: $0) == nil }) == expected)
    }
    let secret = try JWK(json: RFCVectors.hmacKey)
    #expect(
      JWSAlgorithm.allCases.filter { secret.incompatibility(with: $0) == nil } == [
        .hs256, .hs384, .hs512,
      ])
    #expect(JWSAlgorithm.allCases.filter(\.isSymmetric) == [.hs256, .hs384, .hs512])
    #expect(JWSAlgorithm.asymmetric.count == 12)
    #expect(!JWSAlgorithm.asymmetric.contains(.es256k))
  }
}
