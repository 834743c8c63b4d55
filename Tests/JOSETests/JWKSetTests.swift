import OpenSSL
import TestSupport

@testable import JOSE

struct JWKSetTests {
  @Test("keys that cannot be used are skipped and counted")
  func skipping() throws {
    let good = RFCVectors.thumbprintKey
    let set = try JWKSet(json: ["keys": [good, ["kty": "new"], "x", RFCVectors.ed25519, [:]]])
    #expect(try set.keys == [JWK(json: good), JWK(json: RFCVectors.ed25519)])
    #expect(set.skipped.count == 3)
  }

  @Test(
    "each key that is skipped is named with the reason, and a null member is one that is absent")
  func reasons() throws {
    var good = RFCVectors.ed25519
    for name in ["d", "kid", "use", "alg", "key_ops", "x5c"] { good[name] = .null }
    var private_ = RFCVectors.ed25519
    private_["kid"] = "k2"
    private_["d"] = "AA"
    let set = try JWKSet(published: ["keys": [good, ["kty": "new", "kid": "k1"], private_, [:]]])
    #expect(set.keys.count == 1)
    #expect(
      set.reasonsForSkipping == [
        "the key 'k1' was published, but cannot be used: the key type 'new' is unknown",
        "a key without ID was published, but cannot be used: the key has no member 'kty'",
        "the key 'k2' was published, but cannot be used: its secret half is published",
      ], "\(set.reasonsForSkipping)")
    #expect(set.reasonForSkipping(kid: "k1") == set.reasonsForSkipping[0])
    // The key without ID may be the one that is meant.
    #expect(set.reasonForSkipping(kid: "k3") == set.reasonsForSkipping[1])
    let named = try JWKSet(json: ["keys": [["kty": "new", "kid": "k1"]]])
    #expect(named.reasonForSkipping(kid: "k3") == nil)
    var absent = try PrivateJWK.generate(#require(KeyPairAlgorithm("ES256"))).secretJSON
    absent?["oth"] = .null
    #expect(throws: Never.self) { _ = try PrivateJWK(json: #require(absent)) }
  }

  @Test("a set is an object with keys", arguments: ["[]", "{}", #"{"keys":{}}"#, "null", "1"])
  func malformed(text: String) throws {
    let json = try JSON(parsing: text)
    expect(.malformed) { _ = try JWKSet(json: json) }
  }

  @Test("the key ID selects, and without one every key that fits is tried")
  func candidates() throws {
    let first = try Signer(.es256, kid: "1")
    let second = try Signer(.es256, kid: "2")
    let unnamed = try Signer(.es256)
    let other = try Signer(.edDSA, kid: "1")
    let set = JWKSet(keys: [other.key, first.key, second.key, unnamed.key])
    let table: [(String?, JWSAlgorithm, [JWK])] = [
      ("1", .es256, [first.key]), ("2", .es256, [second.key]), ("1", .edDSA, [other.key]),
      ("3", .es256, []), ("2", .edDSA, []), (nil, .es256, [first.key, second.key, unnamed.key]),
      ("", .es256, []),
    ]
    for (kid, algorithm, expected) in table {
      #expect(set.candidates(kid: kid, algorithm: algorithm) == expected)
    }
    let all = Set(JWSAlgorithm.allCases)
    #expect(
      try set.verify(JWS(compact: second.sign(["kid": "2"], "x")), allowed: all) == second.key)
    #expect(try set.verify(JWS(compact: unnamed.sign([:], "x")), allowed: all) == unnamed.key)
    expect(.noMatchingKey) {
      try set.verify(JWS(compact: first.sign(["kid": "3"], "x")), allowed: all)
    }
    expect(.signatureInvalid) {
      try set.verify(JWS(compact: first.sign(["kid": "2"], "x")), allowed: all)
    }
    expect(.signatureInvalid) {
      try set.verify(JWS(compact: Signer(.es256).sign([:], "x")), allowed: all)
    }
    expect(.algorithmNotAllowed) {
      try set.verify(JWS(compact: first.sign(["kid": "1"], "x")), allowed: [.edDSA])
    }
    expect(.noMatchingKey) {
      try JWKSet(keys: []).verify(JWS(compact: first.sign([:], "x")), allowed: all)
    }
    // A secret is not tried with the algorithm of a key pair.
    let secret = JWKSet(keys: [try JWK(secret: [1])], ignoringKeyIDs: true)
    let error = expect(.noMatchingKey) {
      try secret.verify(JWS(compact: first.sign([:], "x")), allowed: all)
    }
    #expect(error?.message.contains("make the signature") == false)
  }

  @Test("two keys with one ID are both tried")
  func sameID() throws {
    let first = try Signer(.es256, kid: "1")
    let second = try Signer(.es256, kid: "1")
    let set = JWKSet(keys: [first.key, second.key])
    let token = try JWS(compact: second.sign(["kid": "1"], "x"))
    #expect(try set.verify(token, allowed: [.es256]) == second.key)
  }

  @Test("no more than 32 keys are tried for a token without a key ID")
  func bound() throws {
    let signer = try Signer(.es256)
    let other = try Signer(.es256).key
    let token = try JWS(compact: signer.sign([:], "x"))
    let wrong = Array(repeating: other, count: 31)
    #expect(try JWKSet(keys: wrong + [signer.key]).verify(token, allowed: [.es256]) == signer.key)
    let error = #expect(throws: JOSEError.self) {
      try JWKSet(keys: wrong + [other, signer.key]).verify(token, allowed: [.es256])
    }
    #expect(error?.message == "none of the first 32 of 33 keys that fit has signed it")
    expect(.signatureInvalid) { try JWKSet(keys: wrong).verify(token, allowed: [.es256]) }
  }
}
